// Searches that race give the verdicts of one. `make race` runs these under the thread sanitizer.
#include "heuristic/combination.hpp"
#include "program/program_space.hpp"
#include "search/breadth_first.hpp"
#include "search/driver.hpp"
#include "search/race.hpp"
#include "tests/check.hpp"
#include "tests/estimators.hpp"
#include "tests/programs.hpp"
#include "tests/spaces.hpp"
#include "zone/timed_space.hpp"

using namespace beeline;
using beeline::Counters;
using beeline::test::Graph;

namespace {

// Says nothing that is true of the way to go.
class Noise final : public Estimator {
public:
    explicit Noise(std::uint64_t seed) : seed_(seed) {}
    std::int32_t estimate(const Word* state) override {
        return static_cast<std::int32_t>((hash_words(state, 1) + seed_) * 0x9e3779b97f4a7c15u >> 61);
    }
    bool is_safe() const override { return false; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<Noise>(*this); }

private:
    std::uint64_t seed_;
};

RaceOptions options_of(std::uint64_t seed, std::uint32_t improve) {
    RaceOptions options;
    options.first.directed.estimators = {std::make_shared<Noise>(seed)};
    options.first.directed.lazy = options.first.directed.preferred = seed % 2 == 0;
    options.first.blind = std::make_shared<BlindEstimator>();
    options.first.improve = improve;
    options.first.ahead = seed % 3 == 0 ? 0 : options.first.ahead;
    BestFirstOptions other;
    other.estimators = {std::make_shared<Noise>(seed + 1)};
    other.ties = Ties::kLifo;
    options.rivals = {{"other", other}, {"deep", seed}, {"deeper", seed + 1}};
    options.name = "first";
    if (seed % 2 == 0) {
        std::swap(options.rivals[0], options.rivals[1]);
    }
    return options;
}

Request ask(std::uint32_t stop, std::size_t threads) {
    Request request;
    request.stop = stop;
    request.threads = threads;
    request.smallest_search = 0;
    return request;
}

// Whether each state of a path follows from the one before, and the end is what is said to be found.
bool replays(const Graph& graph, const Outcome& outcome) {
    const Path& path = outcome.path;
    bool right = path.size() > 0 && *path.state(0) == 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        right = right && graph.targets()[*path.state(i)].at(path.actions[i + 1] - 1) == *path.state(i + 1);
    }
    const Word end = *path.state(path.size() - 1);
    if ((outcome.found & kError) != 0) {
        return right && graph.targets()[end].at(outcome.error_action - 1) == graph.error;
    }
    return right && ((outcome.found & kGoal) != 0 ? end == graph.goal : graph.targets()[end].empty());
}

} // namespace

TEST(parallel_race_through_random_graphs_has_the_verdict_of_plain_search) {
    int found = 0, whole = 0, shortest = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Graph graph = Graph::random(300, seed % 2 == 0 ? 2 : 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 299);
        graph.error = seed % 3 == 0 ? static_cast<Word>(seed % 7 + 1) : Graph::kNowhere;
        const std::uint32_t stop = seed % 4 == 0 ? kGoal | kError | kDeadlock : seed % 4 == 1 ? kGoal | kError : kGoal;
        Request request = ask(stop, 2 + seed % 3);
        const Outcome plain = run_search<BreadthFirst>(graph, request);
        const Outcome raced = race(graph, request, options_of(seed, seed % 5 == 0 ? 0 : 100));
        CHECK_EQUAL(raced.raced, 2 + seed % 3);
        CHECK(raced.status == plain.status);
        if (raced.status == Status::kFound) {
            ++found;
            CHECK(replays(graph, raced));
            const std::uint32_t length = length_of(raced.path, raced.found), least = length_of(plain.path, plain.found);
            CHECK(length >= least);
            CHECK(!raced.proven || length == least);
            shortest += raced.proven;
        } else {
            ++whole;
            CHECK_EQUAL(raced.statistics.stored, plain.statistics.stored);
        }
    }
    CHECK(found > 50 && whole > 50 && shortest > 50);
}

TEST(parallel_race_keeps_to_its_limits) {
    Counters space(5, 40);
    Request request = ask(kGoal, 3);
    request.limits.states = 12345;
    const Outcome full = race(space, request, options_of(1, 100));
    CHECK(full.status == Status::kStates);
    CHECK(full.statistics.expanded > 12345);
    request = ask(kGoal, 3);
    request.limits.seconds = 0.05;
    CHECK(race(space, request, options_of(1, 100)).status == Status::kTime);
    request = ask(kGoal, 3);
    request.limits.memory = resident_bytes() + (8 << 20);
    const Outcome outcome = race(space, request, options_of(2, 100));
    CHECK(outcome.status == Status::kMemory);
    CHECK(outcome.statistics.memory <= 8u << 20);
    CHECK(outcome.statistics.stored > 0);
    request.limits.memory = 1;
    CHECK(race(space, request, options_of(2, 100)).status == Status::kMemory);
    std::atomic<bool> cancelled{true};
    request = ask(kGoal, 3);
    request.cancelled = &cancelled;
    CHECK(race(space, request, options_of(3, 100)).status == Status::kInterrupted);
}

// What others count is told while they are at it.
TEST(parallel_race_tells_how_far_all_have_come) {
    Counters space(6, 40);
    Request request = ask(kGoal, 2);
    int calls = 0;
    request.observer = [&](const Statistics& all) {
        CHECK(all.stored > 0 && all.generated >= all.expanded);
        return ++calls < 3;
    };
    CHECK(race(space, request, options_of(1, 100)).status == Status::kInterrupted);
    CHECK_EQUAL(calls, 3);
}

// A space whose clones, which the others search, are not like itself: there is no end to its own states.
class Twofold {
public:
    explicit Twofold(bool goal, bool fails = false) : goal_(goal), fails_(fails) {}
    std::unique_ptr<Twofold> clone() const {
        auto other = std::make_unique<Twofold>(*this);
        other->is_clone_ = true;
        return other;
    }
    void follow(const Twofold&) {}
    std::size_t words() const { return 1; }
    void initial(SuccessorBuffer& out) { *out.add(0, kNone) = 0; }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        if (is_clone_ && fails_) {
            throw std::runtime_error("no way on");
        }
        if (!is_clone_ || *state < kEnd) {
            *out.add(1, *state + 1 == kEnd && goal_ && (is_clone_ || fails_) ? kGoal : kNone) = *state + 1;
        }
        return kNone;
    }

    static constexpr Word kEnd = 5000;

private:
    bool goal_, fails_, is_clone_ = false;
};

TEST(parallel_race_is_won_by_whoever_finds_something_or_has_seen_everything) {
    for (const bool goal : {true, false}) {
        for (const bool full : {true, false}) {
            Twofold space(goal);
            Request request = ask(kGoal, 3);
            request.limits.states =
                full ? Twofold::kEnd + 1 : request.limits.states; // the first one is soon at its end
            const Outcome outcome = race(space, request, options_of(0, 100));
            CHECK(outcome.status == (goal ? Status::kFound : Status::kExhausted));
            CHECK(outcome.winner == "other" || outcome.winner == "deep");
            CHECK_EQUAL(outcome.path.size(), goal ? Twofold::kEnd + 1 : 0);
            CHECK(outcome.statistics.stored >= Twofold::kEnd);
            if (!goal) {
                CHECK_EQUAL(outcome.statistics.stored, Twofold::kEnd + 1);
            }
        }
    }
}

TEST(parallel_race_is_not_ended_by_what_only_others_meet) {
    Twofold space(true, true);
    const Outcome outcome = race(space, ask(kGoal, 3), options_of(0, 100));
    CHECK(outcome.status == Status::kFound);
    CHECK_EQUAL(outcome.winner, "first");
    CHECK_EQUAL(outcome.path.size(), Twofold::kEnd + 1);
}

TEST(parallel_race_through_programs_has_the_verdict_of_plain_search) {
    std::uint64_t seed = 0;
    for (const std::filesystem::path& file : test::programs("plain")) {
        std::ifstream in(file);
        ProgramSpace space(std::make_shared<const Program>(test::read_tables(in)), seed % 2 == 0);
        Request request = ask(kError | kDeadlock, 3);
        request.limits.states = 20000;
        const Outcome plain = run_search<BreadthFirst>(space, request);
        const Outcome raced = race(space, request, options_of(seed++, 100));
        CHECK(plain.status == Status::kStates || raced.status == plain.status);
        CHECK(!raced.proven || plain.status == Status::kStates ||
              length_of(raced.path, raced.found) == length_of(plain.path, plain.found));
    }
}

// Steps that several processes take together get their numbers as they are met, and all mean the same by them.
TEST(parallel_race_through_zone_graphs_has_the_verdict_of_plain_search) {
    std::uint64_t seed = 0;
    for (const std::filesystem::path& file : test::programs("timed")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        const auto clocks = std::make_shared<const ClockTables>(test::read_tables(in), *program);
        TimedSpace space(program, clocks);
        Request request = ask(kGoal | kError, 3);
        request.limits.states = 2000;
        const Outcome plain = run_search<BreadthFirst>(space, request);
        const Outcome raced = race(space, request, options_of(seed++, 100));
        CHECK_EQUAL(raced.raced, space.can_have_twins() ? 3u : 0u);
        CHECK(plain.status == Status::kStates || raced.status == plain.status);
        SuccessorBuffer arcs(space.words());
        for (std::size_t i = 1; i < raced.path.size(); ++i) {
            arcs.clear();
            space.expand(raced.path.state(i - 1), arcs);
            bool leads = false;
            for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
                leads = leads || arcs.arc(arc).action == raced.path.actions[i];
            }
            CHECK(leads);
        }
    }
}

// With one thread, or with little to do, it is the first search alone.
TEST(parallel_race_leaves_short_searches_to_one) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Graph graph = Graph::random(200, 3, seed);
        graph.goal = 1 + static_cast<Word>(seed % 199);
        Request request = ask(kGoal, 3);
        request.smallest_search = Request{}.smallest_search;
        const RaceOptions options = options_of(seed, 100);
        const Outcome raced = race(graph, request, options);
        request.threads = 1;
        const Outcome alone = run_search<Anytime>(graph, request, options.first);
        CHECK(raced.status == alone.status);
        CHECK(raced.path.states == alone.path.states);
        CHECK_EQUAL(raced.statistics.expanded, alone.statistics.expanded);
        CHECK_EQUAL(raced.raced, 1u);
    }
}
