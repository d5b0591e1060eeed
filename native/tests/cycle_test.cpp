// Searches for accepting cycles, held against one another and against the graph itself.
#include "search/breadth_first.hpp"
#include "search/component_search.hpp"
#include "search/driver.hpp"
#include "search/parallel_nested.hpp"
#include "tests/check.hpp"
#include "tests/spaces.hpp"

#include <algorithm>

using namespace beeline;
using beeline::test::Graph;
using beeline::test::is_lasso;
using beeline::test::Marked;

namespace {

Request for_cycles() {
    Request request;
    request.stop = kCycle;
    return request;
}

} // namespace

TEST(searches_for_cycles_agree_on_random_graphs) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Marked space(Graph::random(12, 2, seed), 4, 2);
        const Outcome nested = run_search<NestedDepthFirst>(space, for_cycles(), NestedOptions{});
        const Outcome components = run_search<FewSetsSearch>(space, for_cycles(), ComponentOptions{});
        PairSpace<Marked> pairs(space, false);
        Request for_goals;
        for_goals.stop = kGoal;
        const Outcome shortest = run_search<BreadthFirst>(pairs, for_goals);
        CHECK_EQUAL(nested.cycle >= 0, components.cycle >= 0);
        CHECK_EQUAL(nested.cycle >= 0, shortest.cycle >= 0);
        for (const Outcome* outcome : {&nested, &components, &shortest}) {
            CHECK(outcome->cycle < 0 || is_lasso(space, *outcome));
        }
    }
}

TEST(what_is_fair_strongly_is_fair_weakly_and_a_cycle_without) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Marked space(Graph::random(12, 3, seed), 3, 3);
        bool found[3];
        for (const Fairness fairness : {Fairness::kNone, Fairness::kWeak, Fairness::kStrong}) {
            const Outcome outcome = run_search<FewSetsSearch>(space, for_cycles(), ComponentOptions{fairness});
            found[static_cast<int>(fairness)] = outcome.cycle >= 0;
            CHECK(outcome.cycle < 0 || is_lasso(space, outcome));
            CHECK_EQUAL(outcome.cycle,
                        run_search<ManySetsSearch>(space, for_cycles(), ComponentOptions{fairness}).cycle);
        }
        CHECK(found[0] || !found[1]);
        CHECK(found[1] || !found[2]);
    }
}

TEST(a_component_search_that_forgets_its_arcs_finds_the_same) {
    std::uint64_t expanded_again = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        Marked space(Graph::random(40, 2 + seed % 3, seed), seed % 2 == 0 ? 4 : 41, 3);
        for (const Fairness fairness : {Fairness::kNone, Fairness::kWeak, Fairness::kStrong}) {
            const Outcome all = run_search<FewSetsSearch>(space, for_cycles(), ComponentOptions{fairness});
            const Outcome few = run_search<FewSetsSearch>(space, for_cycles(), ComponentOptions{fairness, 0});
            CHECK_EQUAL(all.cycle, few.cycle);
            CHECK_EQUAL(all.path.size(), few.path.size());
            CHECK_EQUAL(all.statistics.stored, few.statistics.stored);
            expanded_again += few.statistics.expanded - all.statistics.expanded;
        }
    }
    CHECK(expanded_again > 1000);
}

namespace {

Outcome together(Marked& space, const Request& request, std::size_t threads, bool weak = false) {
    const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
        return SharedStore(space.words(), account, max_states, side_bytes);
    };
    const NestedOptions options{weak};
    return threads == 2 ? run_with_store<PairNested>(space, request, make, options, threads)
                        : run_with_store<TeamNested>(space, request, make, options, threads);
}

} // namespace

TEST(parallel_searches_for_cycles_agree_with_one_thread_on_random_graphs) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Marked space(Graph::random(seed % 2 == 0 ? 12 : 200, 2, seed), seed % 2 == 0 ? 4 : 40, 2);
        const bool found = run_search<NestedDepthFirst>(space, for_cycles(), NestedOptions{}).cycle >= 0;
        for (const std::size_t threads : {2, 3}) {
            const Outcome outcome = together(space, for_cycles(), threads);
            CHECK_EQUAL(outcome.cycle >= 0, found);
            CHECK(outcome.cycle < 0 || is_lasso(space, outcome));
        }
    }
}

TEST(parallel_search_for_cycles_visits_everything_where_there_is_none) {
    // Arcs lead to higher numbers only.
    Random random(7);
    std::vector<std::vector<Word>> targets(30000);
    for (Word node = 0; node + 1 < targets.size(); ++node) {
        targets[node] = {node + 1, static_cast<Word>(node + 1 + random.below(targets.size() - node - 1))};
    }
    Marked space(Graph(std::move(targets)), 3, 1);
    for (const std::size_t threads : {2, 4}) {
        const Outcome outcome = together(space, for_cycles(), threads);
        CHECK(outcome.status == Status::kExhausted);
        CHECK_EQUAL(outcome.statistics.stored, 30000u);
        CHECK_EQUAL(outcome.threads, threads);
    }
}

TEST(parallel_search_for_cycles_keeps_to_its_limits) {
    std::vector<std::vector<Word>> chain(20000);
    for (Word node = 0; node + 1 < chain.size(); ++node) {
        chain[node].push_back(node + 1);
    }
    Marked space(Graph(std::move(chain)), 50000, 1);
    Request request = for_cycles();
    request.limits.states = 5000;
    CHECK(together(space, request, 2).status == Status::kStates);
    request = for_cycles();
    request.limits.depth = 100;
    CHECK(together(space, request, 2).status == Status::kDepth);
    request = for_cycles();
    request.limits.seconds = 0;
    CHECK(together(space, request, 2).status == Status::kTime);
}

TEST(searches_for_cycles_keep_their_limits) {
    std::vector<std::vector<Word>> chain(200);
    for (Word node = 0; node + 1 < chain.size(); ++node) {
        chain[node].push_back(node + 1);
    }
    Marked space(Graph(std::move(chain)), 5000, 1);
    Request request = for_cycles();
    request.limits.states = 50;
    CHECK(run_search<NestedDepthFirst>(space, request, NestedOptions{}).status == Status::kStates);
    CHECK(run_search<FewSetsSearch>(space, request, ComponentOptions{}).status == Status::kStates);
}

namespace {

// A graph, and an automaton beside it that goes from place to place as it likes: its own arcs are a graph, too.
class Watched {
public:
    Watched(Graph graph, Graph automaton) : graph_(std::move(graph)), automaton_(std::move(automaton)) {}

    std::size_t words() const { return 2; }
    void initial(SuccessorBuffer& out) { add(out, 0, 0, 0); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        const auto& moves = automaton_.targets()[state[1]];
        for (const Word target : graph_.targets()[state[0]]) {
            // Some places let only some nodes pass.
            for (std::size_t i = (state[0] + state[1]) % 2; i < moves.size(); ++i) {
                add(out, 1, target, moves[i]);
            }
        }
        return state[1] == places() - 1 ? kAccept : kNone;
    }
    std::size_t places() const { return automaton_.targets().size(); }
    Word place(const Word* state) const { return state[1]; }
    void put_place(Word* state, Word place) const { state[1] = place; }
    std::uint32_t nobody() const { return 0xffff; }

private:
    static void add(SuccessorBuffer& out, std::uint32_t action, Word node, Word place) {
        Word* target = out.add(action, kNone, 0);
        target[0] = node;
        target[1] = place;
    }

    Graph graph_, automaton_;
};

} // namespace

TEST(a_shortest_lasso_of_the_model_is_there_if_the_product_has_one_and_no_longer) {
    Request for_goals;
    for_goals.stop = kGoal;
    std::size_t shorter = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const std::size_t places = 1 + seed % 4;
        Watched space(Graph::random(8, 2, seed), Graph::random(places, 2, seed + 1000));
        PairSpace<Watched> pairs(space, true);
        LassoSpace<Watched> lassos(space);
        const Outcome product = run_search<BreadthFirst>(pairs, for_goals);
        const Outcome model = run_search<BreadthFirst>(lassos, for_goals);
        CHECK_EQUAL(product.cycle >= 0, model.cycle >= 0);
        if (product.cycle < 0) {
            continue;
        }
        CHECK(model.path.size() <= product.path.size());
        CHECK(places > 1 || model.path.size() == product.path.size());
        const std::size_t begin = static_cast<std::size_t>(model.cycle), end = model.path.size() - 1;
        CHECK_EQUAL(model.path.state(begin)[0], model.path.state(end)[0]);
        shorter += model.path.size() < product.path.size() ? 1 : 0;
    }
    CHECK(shorter > 0);
}
