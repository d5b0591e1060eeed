// Abstractions of whole models: what the sanitizers look at, and that bounds never make an estimate larger than the
// exact one.
#include "abstraction/patterns.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

namespace {

using namespace beeline;

FactoredTask factored(std::shared_ptr<const Program> program) {
    Allowance allowance;
    return FactoredTask(std::make_shared<const Task>(std::move(program), false), allowance);
}

std::int32_t initial_estimate(const FactoredTask& task, const AbstractionOptions& options,
                              const std::vector<Word>& initial) {
    Allowance allowance;
    Abstraction made(task, options, allowance);
    const std::int32_t first = made.estimate(initial.data());
    CHECK_EQUAL(made.estimate(initial.data()), first);
    return first;
}

} // namespace

TEST(abstraction_of_every_model_is_at_most_the_exact_one) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        const auto program = test::read_program(file);
        const FactoredTask task = factored(program);
        std::vector<Word> initial(program->words);
        program->pack(program->initial.data(), initial.data());
        AbstractionOptions exact;
        exact.states = 100000;
        const std::int32_t most = initial_estimate(task, exact, initial);
        CHECK(most > 0);
        for (const MergeOrder order :
             {MergeOrder::kRanking, MergeOrder::kNearest, MergeOrder::kDefinition, MergeOrder::kSmallest}) {
            for (const Shrink shrink : {Shrink::kNearFirst, Shrink::kFarFirst, Shrink::kBisimulation}) {
                for (const std::int32_t states : {2, 7, 60}) {
                    AbstractionOptions options{.states = states, .order = order, .shrink = shrink, .factors = {}};
                    CHECK(initial_estimate(task, options, initial) <= most);
                    options.work = 300; // too little: shrunk further, or not all composed
                    CHECK(initial_estimate(task, options, initial) <= most);
                    options.work = exact.work;
                    options.entries = 200; // likewise
                    CHECK(initial_estimate(task, options, initial) <= most);
                }
            }
        }
    }
}

TEST(patterns_of_every_model_are_chosen_and_are_at_most_the_exact_distance) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        const FactoredTask task = factored(test::read_program(file));
        Allowance allowance;
        for (const PatternChoice choice :
             {PatternChoice::kCausal, PatternChoice::kCounterexample, PatternChoice::kRussianDoll}) {
            const std::vector<Pattern> patterns = choose_patterns(task, choice, 500, {}, allowance);
            CHECK(!patterns.empty());
            CHECK(!additive_sets(task, patterns).empty());
        }
    }
}

TEST(abstraction_without_time_composes_nothing_and_is_at_most_the_exact_one) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        const auto program = test::read_program(file);
        const FactoredTask task = factored(program);
        std::vector<Word> initial(program->words);
        program->pack(program->initial.data(), initial.data());
        Allowance none(0, Allowance::kAnyMemory, {});
        Abstraction made(task, {}, none);
        CHECK_EQUAL(made.composed(), std::size_t{0});
        CHECK(made.estimate(initial.data()) <= initial_estimate(task, {.states = 100000, .factors = {}}, initial));
    }
}

TEST(abstraction_ends_where_somebody_looks_in_and_throws) {
    struct Stop {};
    const FactoredTask task = factored(test::read_program(test::programs("plain").front()));
    Allowance interrupted(-1, Allowance::kAnyMemory, [] { throw Stop(); });
    bool stopped = false;
    try {
        Abstraction made(task, {}, interrupted);
    } catch (const Stop&) {
        stopped = true;
    }
    CHECK(stopped);
}
