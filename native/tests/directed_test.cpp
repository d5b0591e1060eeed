#include "heuristic/combination.hpp"
#include "search/anytime.hpp"
#include "search/best_first.hpp"
#include "search/driver.hpp"
#include "search/ida_star.hpp"
#include "search/novelty.hpp"
#include "search/type_list.hpp"
#include "search/walk.hpp"
#include "tests/check.hpp"
#include "tests/estimators.hpp"
#include "tests/spaces.hpp"

#include <algorithm>
#include <set>

using namespace beeline;
using beeline::Counters;
using beeline::test::admissible;
using beeline::test::ask;
using beeline::test::distances_to_goal;
using beeline::test::Graph;
using beeline::test::TableEstimator;

namespace {

std::shared_ptr<Estimator> any_values(std::size_t nodes, Random& random, bool safe) {
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < nodes; ++i) {
        values.push_back(!safe && random.below(4) == 0 ? kDeadEnd : static_cast<std::int32_t>(random.below(9)));
    }
    return std::make_shared<TableEstimator>(std::move(values), safe);
}

BestFirstOptions astar(std::shared_ptr<Estimator> estimator, Ties ties = Ties::kFifo) {
    BestFirstOptions options;
    options.estimators = {std::move(estimator)};
    options.priority = Priority::kSum;
    options.patience = Patience::kPopped;
    options.reopen = true;
    options.prune = true;
    options.ties = ties;
    return options;
}

Outcome best_first(Graph& graph, const BestFirstOptions& options, const Request& request = ask(kGoal)) {
    return run_search<BestFirst>(graph, request, options);
}

// Counters of which only the first one matters: its top is the goal.
class OneOfMany {
public:
    OneOfMany(std::size_t counters, Word top) : counters_(counters, top), top_(top) {}
    std::size_t words() const { return counters_.words(); }
    void initial(SuccessorBuffer& out) { counters_.initial(out); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        const std::size_t first = out.size();
        counters_.expand(state, out);
        for (std::size_t i = first; i < out.size(); ++i) {
            out.arc(i).marks = out.state(i)[0] == top_ ? kGoal : kNone;
        }
        return kNone;
    }

private:
    Counters counters_;
    Word top_;
};

// Wants the counters that do not matter at their top first.
class Misleading final : public Estimator {
public:
    Misleading(std::size_t counters, Word top) : counters_(counters), top_(top) {}
    std::int32_t estimate(const Word* state) override {
        std::int32_t missing = 0;
        for (std::size_t i = 1; i < counters_; ++i) {
            missing += static_cast<std::int32_t>(top_ - state[i]);
        }
        return missing;
    }
    bool is_safe() const override { return true; }

private:
    std::size_t counters_;
    Word top_;
};

std::size_t steps(const Outcome& outcome) { return outcome.path.size() - 1; }

constexpr Ties kAllTies[] = {Ties::kFifo, Ties::kLifo, Ties::kRandom};

} // namespace

TEST(open_lists_hand_out_the_lowest_key_and_obey_the_tie_rule) {
    MemoryAccount account;
    for (const Ties ties : kAllTies) {
        OpenList list(account, ties, 7);
        Random random(11);
        std::vector<std::vector<Index>> expected(12);
        std::multiset<Key> keys;
        std::size_t pushed = 0;
        for (int i = 0; i < 20000; ++i) {
            if (random.below(5) < 3 || list.empty()) {
                const Key key = random.below(12);
                CHECK(list.push(key, static_cast<Index>(pushed)));
                expected[key].push_back(static_cast<Index>(pushed++));
                keys.insert(key);
                continue;
            }
            const Key key = *keys.begin();
            CHECK_EQUAL(list.first(), key);
            const Index popped = list.pop();
            auto& bucket = expected[key];
            const auto place = std::find(bucket.begin(), bucket.end(), popped);
            CHECK(place != bucket.end());
            CHECK(ties != Ties::kFifo || place == bucket.begin());
            CHECK(ties != Ties::kLifo || place == bucket.end() - 1);
            bucket.erase(place);
            keys.erase(keys.begin());
        }
    }
}

TEST(a_type_list_hands_out_every_state_once_and_all_types_alike) {
    MemoryAccount account;
    TypeList list(account, 3);
    std::vector<int> taken(3000, 0);
    std::size_t early = 0; // of the type that has a single percent of the states
    for (Index i = 0; i < taken.size(); ++i) {
        CHECK(list.push(i < 30 ? 1 : 2, i));
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Index index = list.pop();
        ++taken[index];
        early += i < 60 && index < 30;
    }
    CHECK(list.empty());
    CHECK(std::all_of(taken.begin(), taken.end(), [](int times) { return times == 1; }));
    CHECK(early > 15);
}

TEST(the_open_list_that_led_to_progress_is_asked_more_often) {
    MemoryAccount account;
    BestFirstOptions options;
    options.estimators.assign(2, std::make_shared<BlindEstimator>());
    options.learn = 2;
    Frontier frontier(options, account);
    for (Index index = 0; index < 8; ++index) {
        CHECK(frontier.push(index % 2, false, 0, index)); // even numbers wait in one list, odd ones in the other
    }
    Key key = 0;
    CHECK_EQUAL(frontier.pop(key), 0u);
    CHECK_EQUAL(frontier.pop(key), 1u);
    frontier.reward(0); // whichever heuristic got better
    for (const Index next : {3u, 5u, 2u, 7u, 4u, 6u}) {
        CHECK_EQUAL(frontier.pop(key), next);
    }
}

TEST(novelty_sees_new_values_and_new_pairs_among_states_of_one_estimate) {
    MemoryAccount account;
    Novelty novelty(word_places(3), 2, account);
    const Word zero[] = {0, 0, 0}, one[] = {1, 0, 0}, other[] = {0, 1, 0}, both[] = {1, 1, 0};
    CHECK_EQUAL(novelty.rank(zero, nullptr, 5), 0u);
    CHECK_EQUAL(novelty.rank(one, zero, 5), 0u);
    CHECK_EQUAL(novelty.rank(other, zero, 5), 0u);
    CHECK_EQUAL(novelty.rank(both, one, 5), 1u);
    CHECK_EQUAL(novelty.rank(both, other, 5), 2u);
    CHECK_EQUAL(novelty.rank(both, nullptr, 5), 2u);
    CHECK_EQUAL(novelty.rank(both, nullptr, 6), 0u);
}

TEST(novelty_of_width_one_knows_no_pairs_and_nothing_is_new_without_memory) {
    MemoryAccount account, none(1 << 10);
    Novelty novelty(word_places(2), 1, account), poor(word_places(2), 1, none);
    const Word zero[] = {0, 0}, one[] = {1, 0}, other[] = {0, 1}, both[] = {1, 1};
    for (const Word* state : {zero, one, other}) {
        CHECK_EQUAL(novelty.rank(state, nullptr, 0), 0u);
        CHECK_EQUAL(poor.rank(state, nullptr, 0), 1u);
    }
    CHECK_EQUAL(novelty.rank(both, nullptr, 0), 1u);
}

TEST(an_open_list_is_refused_memory_beyond_the_budget) {
    MemoryAccount account(1 << 20);
    OpenList list(account, Ties::kFifo, 0);
    Index pushed = 0;
    while (list.push(pushed % 3, pushed)) {
        ++pushed;
    }
    CHECK(pushed > 100000 && pushed < (1 << 20) / sizeof(Index));
}

TEST(a_star_is_shortest_with_admissible_estimates_that_are_not_consistent) {
    std::size_t reopened = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        Random random(seed);
        Graph graph = Graph::random(60, 3, seed);
        graph.goal = static_cast<Word>(random.below(60));
        const long distance = graph.distances()[graph.goal];
        const auto estimator = admissible(graph, random);
        for (const Ties ties : kAllTies) {
            const Outcome outcome = best_first(graph, astar(estimator, ties));
            CHECK((outcome.status == Status::kFound) == (distance >= 0));
            CHECK((outcome.status == Status::kExhausted) == (distance < 0));
            CHECK(distance < 0 || (steps(outcome) == static_cast<std::size_t>(distance)));
            CHECK(outcome.proven == (distance >= 0));
            reopened += outcome.statistics.reopened;
        }
        IdaStarOptions deepening{estimator, true};
        const Outcome outcome = run_search<IdaStar>(graph, ask(kGoal), deepening);
        CHECK((outcome.status == Status::kFound) == (distance >= 0));
        CHECK(distance < 0 || (steps(outcome) == static_cast<std::size_t>(distance)));
    }
    CHECK(reopened > 0);
}

// A state that waits must be improved, too: s=0, v=1, w=2, x=3, y=4, u=5, then a chain of eight to the goal.
TEST(a_star_improves_states_that_wait) {
    Graph graph({{1, 3}, {2}, {6}, {4}, {5}, {2}, {7}, {8}, {9}, {10}, {11}, {12}, {13}, {}});
    graph.goal = 13;
    const auto estimator =
        std::make_shared<TableEstimator>(std::vector<std::int32_t>{2, 9, 8, 2, 2, 2, 7, 6, 5, 4, 3, 2, 1, 0});
    for (const Ties ties : kAllTies) {
        CHECK_EQUAL(steps(best_first(graph, astar(estimator, ties))), 10u);
    }
}

TEST(all_directed_searches_are_right_about_goals) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        Graph graph = Graph::random(50, 3, seed);
        graph.goal = static_cast<Word>(1 + random.below(49));
        const long distance = graph.distances()[graph.goal];
        std::vector<Outcome> outcomes;
        for (const bool safe : {true, false}) {
            BestFirstOptions options;
            options.estimators = {any_values(50, random, safe)};
            options.prune = true;
            for (const Priority priority : {Priority::kEstimate, Priority::kSum, Priority::kUseless}) {
                options.priority = priority;
                options.ties = kAllTies[seed % 3];
                outcomes.push_back(best_first(graph, options));
            }
            options.priority = Priority::kEstimate;
            options.estimators.push_back(any_values(50, random, false));
            for (const bool lazy : {false, true}) {
                options.lazy = lazy;
                options.preferred = lazy;
                outcomes.push_back(best_first(graph, options));
            }
            options.learn = seed % 2 * 100;
            options.novelty = seed % 3;
            options.types = seed % 5 < 2;
            AnytimeOptions anytime{options, nullptr, std::make_shared<BlindEstimator>()};
            anytime.ahead = seed % 3 == 0 ? 0 : seed % 7 * 10;
            outcomes.push_back(run_search<Anytime>(graph, ask(kGoal), anytime));
            CHECK_EQUAL(outcomes.back().proven, distance >= 0);
            CHECK(distance < 0 || steps(outcomes.back()) == static_cast<std::size_t>(distance));
        }
        for (const Outcome& outcome : outcomes) {
            CHECK((outcome.status == Status::kFound) == (distance >= 0));
            CHECK((outcome.status == Status::kExhausted) == (distance < 0));
            if (distance >= 0) {
                CHECK_EQUAL(*outcome.path.state(steps(outcome)), graph.goal);
                for (std::size_t i = 0; i < steps(outcome); ++i) {
                    const auto& targets = graph.targets()[*outcome.path.state(i)];
                    CHECK_EQUAL(targets[outcome.path.actions[i + 1] - 1], *outcome.path.state(i + 1));
                }
            }
        }
    }
}

TEST(everything_is_counted_once_whoever_explores_it) {
    Counters space(4, 5);
    AnytimeOptions anytime;
    anytime.blind = std::make_shared<BlindEstimator>();
    anytime.directed.estimators = {anytime.blind};
    const Outcome outcome = run_search<Anytime>(space, ask(0), anytime);
    CHECK(outcome.status == Status::kExhausted);
    CHECK_EQUAL(outcome.statistics.stored, 1296u);
    CHECK_EQUAL(outcome.statistics.deadlocks, 1u);
    CHECK(outcome.statistics.expanded >= 1296u);
    const Outcome greedy = run_search<BestFirst>(space, ask(0), anytime.directed);
    CHECK_EQUAL(greedy.statistics.stored, 1296u);
    CHECK_EQUAL(greedy.statistics.expanded, 1296u);
}

TEST(deadlocks_and_errors_are_found_by_directed_searches) {
    Counters space(3, 2);
    const auto blind = std::make_shared<BlindEstimator>();
    AnytimeOptions anytime{{}, nullptr, blind};
    anytime.directed.estimators = {blind};
    const IdaStarOptions deepening{blind};
    const WalkOptions walk{blind};
    Graph graph({{1}, {2, 3}, {}, {}});
    graph.error = 3;
    const Outcome stuck[] = {
        run_search<BestFirst>(space, ask(kDeadlock), astar(blind)), run_search<Anytime>(space, ask(kDeadlock), anytime),
        run_search<IdaStar>(space, ask(kDeadlock), deepening), run_search<Walk>(space, ask(kDeadlock), walk)};
    for (const Outcome& outcome : stuck) {
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(outcome.found, std::uint32_t{kDeadlock});
        CHECK_EQUAL(steps(outcome), 6u);
    }
    const Outcome failed[] = {
        run_search<BestFirst>(graph, ask(kError), astar(blind)), run_search<Anytime>(graph, ask(kError), anytime),
        run_search<IdaStar>(graph, ask(kError), deepening), run_search<Walk>(graph, ask(kError), walk)};
    for (const Outcome& outcome : failed) {
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(outcome.path.size(), 2u);
        CHECK_EQUAL(outcome.error_action, 2u);
        CHECK_EQUAL(outcome.error_detail, 77u);
        CHECK_EQUAL(outcome.statistics.depth, 2u);
    }
}

// A chain whose every place has a way into a trap: chance hardly ever comes to its end.
TEST(walks_begin_with_one_downhill_one_by_first_steps_and_one_by_last_steps) {
    constexpr Word kLength = 200;
    for (const bool by_first : {true, false}) {
        std::vector<std::vector<Word>> targets(kLength + 1);
        for (Word i = 0; i + 1 < kLength; ++i) {
            targets[i] = by_first ? std::vector<Word>{i + 1, kLength} : std::vector<Word>{kLength, i + 1};
        }
        Graph graph(std::move(targets));
        graph.goal = kLength - 1;
        WalkOptions walk{std::make_shared<BlindEstimator>()};
        walk.restarts = by_first ? 2 : 3; // downhill leads nowhere here
        const Outcome outcome = run_search<Walk>(graph, ask(kGoal), walk);
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(steps(outcome), std::size_t{kLength - 1});
    }
}

TEST(walks_keep_to_the_memory_limit) {
    Counters space(5, 4000);
    WalkOptions walk{std::make_shared<BlindEstimator>()};
    walk.restarts = 3;
    Request request = ask(kDeadlock);
    request.limits.memory = resident_bytes() + 4096;
    CHECK(run_search<Walk>(space, request, walk).status != Status::kFound);
    request.limits.memory = resident_bytes() + (1 << 20);
    CHECK(run_search<Walk>(space, request, walk).statistics.depth < (1 << 20) / (4 * 5 * sizeof(Word)));
}

TEST(searches_that_lose_states_never_claim_to_have_seen_all) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Graph graph = Graph::random(40, 3, seed);
        const auto blind = std::make_shared<BlindEstimator>();
        IdaStarOptions bits{blind};
        bits.log_bits = 10;
        CHECK(run_search<IdaStar>(graph, ask(kGoal), bits).status == Status::kGaveUp);
        WalkOptions walk{blind};
        walk.restarts = 3;
        CHECK(run_search<Walk>(graph, ask(kGoal), walk).status == Status::kGaveUp);
        graph.goal = 7;
        const long distance = graph.distances()[7];
        const Outcome outcome = run_search<IdaStar>(graph, ask(kGoal), bits);
        CHECK(distance >= 0 || outcome.status == Status::kGaveUp);
        CHECK(outcome.status != Status::kFound || steps(outcome) >= static_cast<std::size_t>(distance));
    }
}

// States first met on a long way block shorter ones in a table of bits, unless depths are told apart.
TEST(a_table_of_bits_with_depths_finds_shortest_ways) {
    Graph graph({{1, 4}, {2}, {3}, {4}, {5}, {}});
    graph.goal = 5;
    IdaStarOptions bits{std::make_shared<BlindEstimator>()};
    bits.log_bits = 12;
    bits.bits_by_depth = true;
    CHECK_EQUAL(steps(run_search<IdaStar>(graph, ask(kGoal), bits)), 2u);
}

TEST(steps_that_do_not_help_wait_as_long_as_the_way_was) {
    // Without a removal, a step is useless if the estimate does not fall; such successors of 0 pay nothing.
    Graph graph({{1, 2}, {3}, {4}, {5}, {6}, {}, {7}, {}});
    graph.goal = 7;
    const auto estimator = std::make_shared<TableEstimator>(std::vector<std::int32_t>{3, 3, 2, 3, 2, 3, 2, 0});
    BestFirstOptions options;
    options.estimators = {estimator};
    options.priority = Priority::kUseless;
    options.ties = Ties::kLifo;
    graph.expanded.clear();
    best_first(graph, options);
    // 2 has key 2; 4 has 2 + 1, like 1 with 3 + 0 but newer; 6 has 2 + 2, like 3 with 3 + 1, which is newer.
    CHECK(graph.expanded == (std::vector<Word>{0, 2, 4, 1, 3, 6}));
}

TEST(a_cache_keeps_values_but_no_dead_ends) {
    class Counting final : public Estimator {
    public:
        std::int32_t estimate(const Word* state) override {
            ++calls;
            return *state % 5 == 0 ? kDeadEnd : static_cast<std::int32_t>(*state);
        }
        bool is_safe() const override { return true; }
        int calls = 0;
    };
    const auto inner = std::make_shared<Counting>();
    CachedEstimator cache(inner, 1, 1000);
    for (int round = 0; round < 3; ++round) {
        for (Word state = 0; state < 10; ++state) {
            CHECK_EQUAL(cache.estimate(&state), state % 5 == 0 ? kDeadEnd : static_cast<std::int32_t>(state));
        }
    }
    CHECK_EQUAL(inner->calls, 8 + 3 * 2);
    CHECK_EQUAL(cache.hits(), 16u);
}

TEST(combinations_saturate_and_keep_dead_ends) {
    const auto table = [](std::int32_t value) {
        return std::make_shared<TableEstimator>(std::vector<std::int32_t>{value});
    };
    const Word state = 0;
    const auto joined = [&](Join join, std::int32_t a, std::int32_t b, std::uint32_t weight) {
        return CombinedEstimator(join, {table(a), table(b)}, {weight, 1}).estimate(&state);
    };
    CHECK_EQUAL(joined(Join::kMaximum, 3, 4, 1), 4);
    CHECK_EQUAL(joined(Join::kMaximum, 3, 4, 2), 6);
    CHECK_EQUAL(joined(Join::kSum, 3, 4, 2), 10);
    CHECK_EQUAL(joined(Join::kMinimum, 3, 4, 2), 4);
    CHECK_EQUAL(joined(Join::kMinimum, kDeadEnd, 4, 2), 4);
    CHECK_EQUAL(joined(Join::kMaximum, kDeadEnd, 4, 1), kDeadEnd);
    CHECK_EQUAL(joined(Join::kSum, 4, kDeadEnd, 1), kDeadEnd);
    CHECK_EQUAL(joined(Join::kSum, kDeadEnd - 1, kDeadEnd - 1, 1000), kDeadEnd - 1);
}

TEST(anytime_search_leaves_out_steps_that_do_not_matter_where_no_proof_is_in_sight) {
    OneOfMany space(14, 9);
    AnytimeOptions options;
    options.directed.estimators = {std::make_shared<Misleading>(14, 9)};
    options.blind = std::make_shared<BlindEstimator>();
    const Outcome outcome = run_search<Anytime>(space, ask(kGoal), options);
    CHECK(outcome.status == Status::kFound);
    CHECK(!outcome.proven);
    CHECK_EQUAL(steps(outcome), std::size_t{9});
}
