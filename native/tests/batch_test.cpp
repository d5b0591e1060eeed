// Estimates of several states at once say what they say of each, and searches that ask for them go on as ever.
#include "heuristic/relaxed_estimator.hpp"
#include "program/program_space.hpp"
#include "search/best_first.hpp"
#include "search/driver.hpp"
#include "state/hash.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "tests/same.hpp"
#include "tests/spaces.hpp"

#include <set>

using namespace beeline;
using beeline::test::check_same;
using beeline::test::Graph;

namespace {

// Something or other, but always the same of the same state; counts how often it is asked for several.
class Batched final : public Estimator {
public:
    Batched(std::uint64_t seed, bool has_batches) : seed_(seed), has_batches_(has_batches) {}

    std::int32_t estimate(const Word* state) override {
        const std::uint64_t hash = (hash_words(state, 1) + seed_) * 0x9e3779b97f4a7c15u >> 20;
        return hash % 19 == 0 ? kDeadEnd : static_cast<std::int32_t>(hash % 7);
    }
    bool has_batches() const override { return has_batches_; }
    void estimate_all(const std::vector<const Word*>& states, std::vector<std::int32_t>& values) override {
        ++batches;
        largest = std::max(largest, states.size());
        Estimator::estimate_all(states, values);
    }
    bool is_safe() const override { return seed_ % 2 == 0; }

    std::size_t batches = 0, largest = 0;

private:
    std::uint64_t seed_;
    bool has_batches_;
};

BestFirstOptions way(std::uint64_t number, std::shared_ptr<Estimator> estimator) {
    BestFirstOptions options;
    options.estimators = {std::move(estimator)};
    options.ties = static_cast<Ties>(number % 3);
    options.lazy = number % 5 == 1;
    options.prune = number % 2 == 0;
    if (number % 5 == 2) {
        options.priority = Priority::kSum;
        options.patience = Patience::kPopped;
        options.reopen = true;
    } else if (number % 5 == 3) {
        options.priority = Priority::kUseless;
    }
    return options;
}

// States in the order of a breadth-first search, as they are met.
std::vector<std::vector<Word>> first_states(ProgramSpace& space, std::size_t count) {
    std::vector<std::vector<Word>> states;
    std::set<std::vector<Word>> known;
    SuccessorBuffer buffer(space.words());
    space.initial(buffer);
    for (std::size_t next = 0;; ++next) {
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0) {
                std::vector<Word> state(buffer.state(i), buffer.state(i) + space.words());
                if (known.insert(state).second) {
                    states.push_back(std::move(state));
                }
            }
        }
        if (states.size() >= count || next == states.size()) {
            return states;
        }
        buffer.clear();
        space.expand(states[next].data(), buffer);
    }
}

} // namespace

TEST(estimates_of_several_states_of_programs_are_those_of_each) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        const auto task = std::make_shared<const Task>(program, true);
        ProgramSpace space(program, false);
        const auto states = first_states(space, 200);
        std::vector<const Word*> asked;
        for (const auto& state : states) {
            asked.push_back(state.data());
        }
        Estimator::Steps steps;
        for (const Operator& op : task->operators()) {
            steps.emplace_back(op.action, op.second);
        }
        for (const RelaxedKind kind : {RelaxedKind::kL, RelaxedKind::kU, RelaxedKind::kFF}) {
            RelaxedEstimator one(task, kind), all(task, kind);
            std::vector<std::int32_t> values;
            all.estimate_all(asked, values);
            for (std::size_t i = 0; i < asked.size(); ++i) {
                CHECK_EQUAL(values[i], one.estimate(asked[i]));
            }
            all.estimate_without_each(asked.back(), steps, values);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                CHECK_EQUAL(values[i], one.estimate_without(asked.back(), steps[i].first, steps[i].second));
            }
        }
    }
}

TEST(searches_with_batches_of_estimates_are_those_without) {
    std::size_t batches = 0, largest = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Graph graph = Graph::random(400, 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 399);
        Request request;
        request.stop = seed % 4 == 0 ? 0 : std::uint32_t{kGoal};
        request.smallest_search = 0;
        request.limits.depth = seed % 7 == 0 ? 5 : request.limits.depth;
        request.limits.states = seed % 6 == 0 ? 90 : request.limits.states;
        const auto one = std::make_shared<Batched>(seed, false), several = std::make_shared<Batched>(seed, true);
        const Outcome expected = run_search<BestFirst>(graph, request, way(seed, one));
        check_same(expected, run_search<BestFirst>(graph, request, way(seed, several)));
        CHECK_EQUAL(one->batches, 0u);
        batches += several->batches;
        largest = std::max(largest, several->largest);
    }
    CHECK(batches > 300);
    CHECK(largest > 8 && largest <= SpeculativeEvaluator::kAlone);
}
