#include "search/least_cost.hpp"

#include "search/driver.hpp"
#include "tests/check.hpp"
#include "tests/estimators.hpp"
#include "tests/spaces.hpp"

using namespace beeline;
using beeline::test::admissible;
using beeline::test::ask;
using beeline::test::Graph;
using beeline::test::TableEstimator;

namespace {

constexpr long kNoWay = -1;

// What the cheapest ways from node 0 cost, by the textbook.
std::vector<long> costs(const Graph& graph, const ArcWeights& weights) {
    const auto& targets = graph.targets();
    std::vector<long> cost(targets.size(), kNoWay);
    cost[0] = 0;
    for (std::size_t round = 0; round < targets.size(); ++round) {
        for (std::size_t node = 0; node < targets.size(); ++node) {
            for (std::size_t i = 0; cost[node] != kNoWay && i < targets[node].size(); ++i) {
                const long sum = cost[node] + static_cast<long>(weights.of(static_cast<std::uint32_t>(i + 1)));
                long& known = cost[targets[node][i]];
                known = known == kNoWay ? sum : std::min(known, sum);
            }
        }
    }
    return cost;
}

long cost_of(const Outcome& outcome, const ArcWeights& weights) {
    long cost = 0;
    for (std::size_t i = 1; i < outcome.path.size(); ++i) {
        cost += static_cast<long>(weights.of(outcome.path.actions[i]));
    }
    return cost;
}

LeastCostOptions options_for(std::shared_ptr<Estimator> estimator, Random& random) {
    LeastCostOptions options;
    options.order.estimators = {std::move(estimator)};
    options.order.prune = true;
    options.weights.by_action = {1, static_cast<std::uint32_t>(1 + random.below(9)),
                                 static_cast<std::uint32_t>(1 + random.below(9))}; // the third arc costs 1
    return options;
}

} // namespace

TEST(the_least_cost_is_found_with_estimates_that_are_not_consistent) {
    std::size_t reopened = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        Graph graph = Graph::random(60, 3, seed);
        graph.goal = static_cast<Word>(random.below(60));
        const LeastCostOptions options = options_for(admissible(graph, random), random);
        const long least = costs(graph, options.weights)[graph.goal];
        const Outcome outcome = run_search<LeastCost>(graph, ask(kGoal), options);
        CHECK((outcome.status == Status::kFound) == (least != kNoWay));
        CHECK((outcome.status == Status::kExhausted) == (least == kNoWay));
        CHECK(least == kNoWay || cost_of(outcome, options.weights) == least);
        CHECK(outcome.proven == (least != kNoWay));
        reopened += outcome.statistics.reopened;
    }
    CHECK(reopened > 0);
}

TEST(deadlocks_and_failing_steps_have_costs_too) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        Graph graph = Graph::random(40, 2, seed);
        graph.error = static_cast<Word>(1 + random.below(39));
        const std::vector<std::int32_t> nothing(40, 0);
        const LeastCostOptions options = options_for(std::make_shared<TableEstimator>(nothing), random);
        const std::vector<long> cost = costs(graph, options.weights);
        // What lies behind a failing step is not reached: it is no worse than the step itself, which is found before.
        long least = cost[graph.error];
        for (std::size_t node = 0; node < 40; ++node) {
            if (graph.targets()[node].empty() && cost[node] != kNoWay) {
                least = least == kNoWay ? cost[node] : std::min(least, cost[node]);
            }
        }
        const Outcome outcome = run_search<LeastCost>(graph, ask(kError | kDeadlock), options);
        const bool fails = (outcome.found & kError) != 0;
        const long last = fails ? static_cast<long>(options.weights.of(outcome.error_action)) : 0;
        CHECK((outcome.status == Status::kFound) == (least != kNoWay));
        CHECK(least == kNoWay || cost_of(outcome, options.weights) + last == least);
    }
}

TEST(a_depth_bound_leaves_the_least_cost_unproven) {
    Graph graph({{1, 3}, {2}, {3}, {}}); // three steps that cost 1 each but the first, or one that costs 9
    graph.goal = 3;
    LeastCostOptions options;
    options.order.estimators = {std::make_shared<TableEstimator>(std::vector<std::int32_t>(4, 0))};
    options.weights.by_action = {1, 1, 9};
    const Outcome free = run_search<LeastCost>(graph, ask(kGoal), options);
    CHECK(free.proven && cost_of(free, options.weights) == 3);
    const Outcome bounded = run_search<LeastCost>(graph, ask(kGoal, 1), options);
    CHECK(!bounded.proven && cost_of(bounded, options.weights) == 9);
}
