#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/iterative_deepening.hpp"
#include "tests/check.hpp"
#include "tests/spaces.hpp"

#include <algorithm>
#include <optional>

using namespace beeline;
using beeline::Counters;
using beeline::test::Graph;

namespace {

using Seed = std::optional<std::uint64_t>;

Request ask(std::uint32_t stop, std::uint32_t depth = std::numeric_limits<std::uint32_t>::max()) {
    Request request;
    request.stop = stop;
    request.limits.depth = depth;
    return request;
}

template <class S>
Outcome bfs(S& space, const Request& request) {
    return run_search<BreadthFirst>(space, request);
}
template <class S>
Outcome dfs(S& space, const Request& request, Seed seed = std::nullopt) {
    return run_search<DepthFirst>(space, request, seed);
}
template <class S>
Outcome iddfs(S& space, const Request& request) {
    return run_search<IterativeDeepening>(space, request, std::uint32_t{1});
}

// Whether the path is one of the graph's, arc by arc.
bool is_path(const Graph& graph, const Path& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const auto& targets = graph.targets()[*path.state(i)];
        const std::uint32_t action = path.actions[i + 1];
        if (action == 0 || action > targets.size() || targets[action - 1] != *path.state(i + 1)) {
            return false;
        }
    }
    return path.size() > 0 && *path.state(0) == 0;
}

void visit_recursively(const Graph& graph, Word node, std::vector<bool>& seen, std::vector<Word>& order) {
    seen[node] = true;
    order.push_back(node);
    for (const Word target : graph.targets()[node]) {
        if (!seen[target]) {
            visit_recursively(graph, target, seen, order);
        }
    }
}

} // namespace

TEST(all_searches_count_the_counters) {
    Counters space(4, 5);
    for (const Outcome& outcome : {bfs(space, ask(0)), dfs(space, ask(0)), dfs(space, ask(0), 3)}) {
        CHECK(outcome.status == Status::kExhausted);
        CHECK_EQUAL(outcome.statistics.stored, 1296u);
        CHECK_EQUAL(outcome.statistics.expanded, 1296u);
        CHECK_EQUAL(outcome.statistics.generated, 4u * 5 * 216);
        CHECK_EQUAL(outcome.statistics.deadlocks, 1u);
        CHECK_EQUAL(outcome.statistics.depth, 20u);
    }
    const Outcome deepening = iddfs(space, ask(0));
    CHECK(deepening.status == Status::kExhausted);
    CHECK_EQUAL(deepening.statistics.stored, 1296u);
    CHECK_EQUAL(deepening.statistics.deadlocks, 1u);
}

TEST(a_deadlock_is_found_with_its_path) {
    Counters space(3, 2);
    for (const Outcome& outcome :
         {bfs(space, ask(kDeadlock)), dfs(space, ask(kDeadlock)), iddfs(space, ask(kDeadlock))}) {
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(outcome.found, std::uint32_t{kDeadlock});
        CHECK_EQUAL(outcome.path.size(), 7u);
        CHECK_EQUAL(outcome.path.state(6)[2], 2u);
    }
}

TEST(goals_in_random_graphs_are_found_on_shortest_paths_if_promised) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Graph graph = Graph::random(40, 3, seed);
        graph.goal = static_cast<Word>(seed % 40);
        const long distance = graph.distances()[graph.goal];
        const Request request = ask(kGoal);
        const Outcome outcomes[] = {bfs(graph, request), iddfs(graph, request), dfs(graph, request),
                                    dfs(graph, request, seed)};
        for (std::size_t i = 0; i < 4; ++i) {
            const Outcome& outcome = outcomes[i];
            CHECK((outcome.status == Status::kFound) == (distance >= 0));
            CHECK((outcome.status == Status::kExhausted) == (distance < 0));
            if (distance >= 0) {
                CHECK(is_path(graph, outcome.path));
                CHECK_EQUAL(*outcome.path.state(outcome.path.size() - 1), graph.goal);
                CHECK(i >= 2 || outcome.path.size() == static_cast<std::size_t>(distance) + 1);
            }
        }
    }
}

TEST(a_bounded_search_sees_exactly_what_lies_within_its_bound) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Graph graph = Graph::random(30, 3, seed);
        const std::vector<long> distances = graph.distances();
        const long deepest = *std::max_element(distances.begin(), distances.end());
        for (std::uint32_t bound = 0; bound <= 6; ++bound) {
            const auto within = static_cast<std::size_t>(std::count_if(
                distances.begin(), distances.end(), [&](long d) { return d >= 0 && d <= static_cast<long>(bound); }));
            const Status expected = deepest <= static_cast<long>(bound) ? Status::kExhausted : Status::kDepth;
            for (const Outcome& outcome : {bfs(graph, ask(0, bound)), dfs(graph, ask(0, bound)),
                                           dfs(graph, ask(0, bound), seed), iddfs(graph, ask(0, bound))}) {
                CHECK_EQUAL(outcome.statistics.stored, within);
                CHECK(outcome.status == expected);
            }
        }
    }
}

TEST(a_bounded_search_finds_a_goal_exactly_within_its_bound) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Graph graph = Graph::random(30, 3, seed);
        graph.goal = 1 + static_cast<Word>(seed % 29);
        const long distance = graph.distances()[graph.goal];
        for (std::uint32_t bound = 0; bound <= 6; ++bound) {
            const bool reachable = distance >= 0 && distance <= static_cast<long>(bound);
            CHECK((bfs(graph, ask(kGoal, bound)).status == Status::kFound) == reachable);
            CHECK((dfs(graph, ask(kGoal, bound)).status == Status::kFound) == reachable);
            CHECK((iddfs(graph, ask(kGoal, bound)).status == Status::kFound) == reachable);
        }
    }
}

TEST(depth_first_order_is_that_of_the_recursive_algorithm) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Graph graph = Graph::random(60, 4, seed);
        std::vector<bool> seen(60, false);
        std::vector<Word> order;
        visit_recursively(graph, 0, seen, order);
        dfs(graph, ask(0));
        CHECK(graph.expanded == order);
    }
}

TEST(random_order_depends_on_the_seed_alone) {
    Graph graph = Graph::random(200, 4, 5);
    const auto order = [&](std::uint64_t seed) {
        graph.expanded.clear();
        dfs(graph, ask(0), seed);
        return graph.expanded;
    };
    CHECK(order(1) == order(1));
    CHECK(order(1) != order(2));
}

TEST(an_error_arc_is_reported_with_the_step_and_its_detail) {
    Graph graph({{1}, {2, 3}, {}, {}});
    graph.error = 3;
    for (const Outcome& outcome : {bfs(graph, ask(kError)), dfs(graph, ask(kError)), iddfs(graph, ask(kError))}) {
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(outcome.path.size(), 2u);
        CHECK_EQUAL(outcome.error_action, 2u);
        CHECK_EQUAL(outcome.error_detail, 77u);
        CHECK_EQUAL(outcome.statistics.depth, 2u);
        CHECK_EQUAL(outcome.statistics.errors, 1u);
    }
    const Outcome explored = bfs(graph, ask(0));
    CHECK_EQUAL(explored.statistics.errors, 1u);
    CHECK_EQUAL(explored.statistics.stored, 3u);
}

TEST(breadth_first_stops_at_the_first_violating_arc) {
    Graph graph({{1, 2, 3}, {4, 5}, {6}, {}, {}, {}, {}});
    graph.goal = 5;
    const Outcome outcome = bfs(graph, ask(kGoal));
    CHECK_EQUAL(outcome.statistics.expanded, 2u);
    CHECK_EQUAL(outcome.statistics.generated, 5u);
    CHECK_EQUAL(outcome.statistics.stored, 5u);
}

TEST(a_violating_initial_state_is_a_path_of_one_state) {
    Graph graph({{1}, {}});
    graph.goal = 0;
    const Request request = ask(kGoal);
    for (const Outcome& outcome : {bfs(graph, request), dfs(graph, request), iddfs(graph, request)}) {
        CHECK(outcome.status == Status::kFound);
        CHECK_EQUAL(outcome.path.size(), 1u);
        CHECK_EQUAL(outcome.statistics.expanded, 0u);
    }
}

TEST(two_arcs_to_one_state_are_two_arcs) {
    Graph graph({{1, 1, 0}, {}});
    for (const Outcome& outcome : {bfs(graph, ask(0)), dfs(graph, ask(0))}) {
        CHECK_EQUAL(outcome.statistics.stored, 2u);
        CHECK_EQUAL(outcome.statistics.generated, 3u);
    }
}

TEST(a_deadlock_is_nearer_than_a_step_that_fails_from_the_same_layer) {
    // 0 leads to 1, from where a step fails, and to 2, where nothing goes on.
    Graph graph({{1, 2}, {3}, {}, {}});
    graph.error = 3;
    Request request;
    request.stop = kError | kDeadlock;
    const Outcome outcome = run_search<BreadthFirst>(graph, request);
    CHECK_EQUAL(outcome.found, std::uint32_t{kDeadlock});
    CHECK_EQUAL(outcome.path.size(), std::size_t{2});
    CHECK_EQUAL(*outcome.path.state(1), Word{2});
    CHECK(!outcome.truncated);
}
