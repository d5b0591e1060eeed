// Best-first search by several threads is the search by one. `make race` runs these under the thread sanitizer.
#include "program/program_space.hpp"
#include "search/anytime.hpp"
#include "search/best_first.hpp"
#include "search/driver.hpp"
#include "search/lookahead.hpp"
#include "state/hash.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "tests/same.hpp"
#include "tests/spaces.hpp"
#include "zone/timed_space.hpp"

#include <numeric>
#include <set>
#include <thread>

using namespace beeline;
using beeline::Counters;
using beeline::test::check_same;
using beeline::test::Graph;

namespace {

// Something or other, but always the same of the same state; now and then a dead end. Dear, so that it is shared.
class Whim final : public Estimator {
public:
    Whim(std::size_t words, std::uint64_t seed, std::int32_t most, bool safe)
        : words_(words), seed_(seed), most_(most), safe_(safe) {}

    std::int32_t estimate(const Word* state) override {
        const std::uint64_t hash = mixed(state, 0);
        preferred_ = {1 + static_cast<std::uint32_t>(hash % 3)};
        return hash % 17 == 0 && !safe_ ? kDeadEnd
                                        : static_cast<std::int32_t>(hash % static_cast<std::uint64_t>(most_));
    }
    bool is_safe() const override { return safe_; }
    std::uint32_t cost() const override { return 5; }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t) override {
        return static_cast<std::int32_t>(mixed(state, action) % static_cast<std::uint64_t>(most_));
    }
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<Whim>(*this); }

private:
    std::uint64_t mixed(const Word* state, std::uint32_t action) const {
        return (hash_words(state, words_) + seed_ + action) * 0x9e3779b97f4a7c15u >> 20;
    }

    std::size_t words_;
    std::uint64_t seed_;
    std::int32_t most_;
    bool safe_;
    std::vector<std::uint32_t> preferred_;
};

Request ask(std::uint32_t stop, std::size_t threads) {
    Request request;
    request.stop = stop;
    request.threads = threads;
    request.smallest_search = 0;
    return request;
}

constexpr std::uint64_t kWays = 7;

// One of the ways to search best-first.
BestFirstOptions way(std::uint64_t number, std::size_t words, std::uint64_t seed) {
    BestFirstOptions options;
    options.estimators = {std::make_shared<Whim>(words, seed, 3 + static_cast<std::int32_t>(seed % 9), seed % 2 == 0)};
    options.ties = static_cast<Ties>(seed % 3);
    options.seed = seed;
    options.prune = seed % 5 == 0;
    switch (number) {
    case 1:
        options.lazy = true;
        break;
    case 2:
        options.preferred = true;
        break;
    case 3:
        options.lazy = options.preferred = true;
        options.boost = 3;
        options.estimators.push_back(std::make_shared<Whim>(words, seed + 1, 5, true));
        break;
    case 4:
    case 5:
        options.priority = Priority::kSum;
        options.patience = Patience::kPopped;
        options.reopen = true;
        options.weight = number == 4 ? 1 : 3;
        break;
    case 6:
        options.priority = Priority::kUseless;
        break;
    default:
        break;
    }
    return options;
}

template <class S>
void check_threads(S& space, const Request& request, const BestFirstOptions& options) {
    Request alone = request;
    alone.threads = 1;
    const Outcome one = run_search<BestFirst>(space, alone, options);
    const Outcome several = run_search<BestFirst>(space, request, options);
    CHECK_EQUAL(several.threads, request.threads);
    check_same(one, several);
}

// Cannot expand some nodes, and is of no use after it was asked to.
struct Failure : std::exception {};
class Fragile {
public:
    Fragile(Graph graph, Word weak) : graph_(std::move(graph)), weak_(weak) {}
    std::unique_ptr<Fragile> clone() const { return std::make_unique<Fragile>(graph_, weak_); }
    void follow(const Fragile&) {}
    std::size_t words() const { return 1; }
    void initial(SuccessorBuffer& out) { graph_.initial(out); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        broken_ |= *state % weak_ == weak_ - 1;
        if (broken_) {
            throw Failure();
        }
        return graph_.expand(state, out);
    }

private:
    Graph graph_;
    Word weak_;
    bool broken_ = false;
};

} // namespace

TEST(parallel_best_first_search_of_random_graphs_is_the_same_as_by_one_thread) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Graph graph = Graph::random(400, 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 399);
        graph.error = seed % 3 == 0 ? static_cast<Word>(seed % 7 + 1) : Graph::kNowhere;
        for (std::uint64_t number = 0; number < kWays; ++number) {
            Request request =
                ask(seed % 4 == 0 ? 0 : kGoal | (seed % 4 == 1 ? kError | kDeadlock : kNone), 2 + seed % 3);
            request.limits.depth = seed % 7 == 0 ? 5 : request.limits.depth;
            request.limits.states = seed % 5 == 0 ? 90 : request.limits.states;
            check_threads(graph, request, way(number, 1, seed));
        }
    }
}

TEST(parallel_best_first_search_repeats_itself) {
    Counters space(4, 12);
    for (std::uint64_t number = 0; number < kWays; ++number) {
        for (int repeat = 0; repeat < 3; ++repeat) {
            check_threads(space, ask(0, 4), way(number, space.words(), 7));
        }
    }
}

TEST(parallel_search_with_stages_is_the_same_as_by_one_thread) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Graph graph = Graph::random(500, 3, seed);
        graph.goal = 1 + static_cast<Word>(seed % 499);
        AnytimeOptions options;
        options.directed = way(seed % 4, 1, seed);
        options.blind = std::make_shared<Whim>(1, 0, 1, true); // says 0
        Request request = ask(kGoal | kDeadlock, 1);
        const Outcome one = run_search<Anytime>(graph, request, options);
        request.threads = 3;
        check_same(one, run_search<Anytime>(graph, request, options));
    }
}

// What goes wrong in a state that the search does not come to is no concern of it.
TEST(parallel_best_first_search_fails_only_where_one_thread_does) {
    int failures = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Graph graph = Graph::random(300, 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 299);
        const BestFirstOptions options = way(seed % kWays, 1, seed);
        const auto run = [&](std::size_t threads) -> std::optional<Outcome> {
            Fragile space(graph, 20 + static_cast<Word>(seed % 50));
            try {
                return run_search<BestFirst>(space, ask(kGoal, threads), options);
            } catch (const Failure&) {
                return std::nullopt;
            }
        };
        const auto one = run(1);
        const auto several = run(3);
        CHECK_EQUAL(one.has_value(), several.has_value());
        if (one && several) {
            check_same(*one, *several);
        }
        failures += !one;
    }
    CHECK(failures > 20 && failures < 180);
}

TEST(parallel_best_first_search_keeps_to_its_limits) {
    Counters space(5, 40);
    const BestFirstOptions options = way(0, space.words(), 2);
    Request request = ask(0, 2);
    request.limits.states = 12345;
    CHECK_EQUAL(run_search<BestFirst>(space, request, options).statistics.stored, 12345u);
    request = ask(0, 2);
    request.limits.seconds = 0.05;
    CHECK(run_search<BestFirst>(space, request, options).status == Status::kTime);
    request = ask(0, 2);
    request.limits.memory = resident_bytes() + (8 << 20);
    CHECK(run_search<BestFirst>(space, request, options).status == Status::kMemory);
    std::atomic<bool> cancelled{true};
    request = ask(0, 2);
    request.cancelled = &cancelled;
    CHECK(run_search<BestFirst>(space, request, options).status == Status::kInterrupted);
}

TEST(parallel_best_first_search_of_programs_is_the_same_as_by_one_thread) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        for (std::uint64_t number = 0; number < kWays; ++number) {
            ProgramSpace space(program, number % 2 == 0);
            Request request = ask(number < 4 ? 0 : std::uint32_t{kGoal}, 3);
            request.limits.states = 4000;
            check_threads(space, request, way(number, space.words(), number));
        }
    }
}

TEST(parallel_best_first_search_of_zone_graphs_is_the_same_as_by_one_thread) {
    for (const std::filesystem::path& file : test::programs("timed")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        const auto clocks = std::make_shared<const ClockTables>(test::read_tables(in), *program);
        for (const std::uint64_t number : {0u, 1u, 4u, 5u}) { // those that do not look at the numbers of steps
            TimedSpace space(program, clocks);
            Request request = ask(number < 4 ? 0 : std::uint32_t{kGoal}, 3);
            request.limits.states = 700;
            const BestFirstOptions options = way(number, program->words, number);
            Outcome several = run_search<BestFirst>(space, request, options);
            request.threads = 1;
            TimedSpace other(program, clocks);
            const Outcome one = run_search<BestFirst>(other, request, options);
            // Spaces give numbers to steps of several processes in the order in which they meet them.
            for (std::size_t i = 1; i < std::min(one.path.size(), several.path.size()); ++i) {
                CHECK(space.edges_of(several.path.actions[i]) == other.edges_of(one.path.actions[i]));
            }
            several.path.actions = one.path.actions;
            several.error_action = one.error_action;
            check_same(one, several);
        }
    }
}

TEST(parallel_queue_gives_everything_once) {
    TaskQueue queue;
    constexpr std::uint32_t kCount = 20000;
    std::atomic<std::uint32_t> left = kCount;
    std::vector<std::vector<std::uint32_t>> taken(3);
    std::vector<std::thread> threads;
    for (auto& mine : taken) {
        threads.emplace_back([&queue, &left, &mine] {
            for (std::uint32_t number = 0; left.load() != 0;) {
                if (queue.pop(number)) {
                    mine.push_back(number);
                    --left;
                }
            }
        });
    }
    for (std::uint32_t number = 0; number < kCount;) {
        number += queue.push(number);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::vector<std::uint32_t> all;
    for (const auto& mine : taken) {
        CHECK(std::is_sorted(mine.begin(), mine.end()));
        all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> expected(kCount);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(all == expected);
}
