// The search for violations by testing automata, held against components found the plain way.
#include "search/driver.hpp"
#include "search/testing_search.hpp"
#include "tests/check.hpp"
#include "tests/spaces.hpp"

#include <algorithm>
#include <functional>

using namespace beeline;
using beeline::test::Graph;

namespace {

// A product with a testing automaton: nodes have a label, and those of some places of the automaton are accepting or
// livelocks. Steps without a change of label stay in their place, as those of a product do.
class Tested {
public:
    struct Node {
        Word label, place;
    };
    Tested(Graph graph, std::vector<Node> nodes, Word accepting, Word livelock)
        : graph_(std::move(graph)), nodes_(std::move(nodes)), accepting_(accepting), livelock_(livelock) {}

    static Tested random(std::uint64_t seed) {
        Random random(seed);
        const std::size_t size = 4 + random.below(12);
        std::vector<Node> nodes(size);
        for (Node& node : nodes) {
            node = {static_cast<Word>(random.below(2)), static_cast<Word>(random.below(3))};
        }
        std::vector<std::vector<Word>> targets(size);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t tries = random.below(5); tries > 0; --tries) {
                const auto target = static_cast<Word>(random.below(size));
                if (nodes[i].label != nodes[target].label || nodes[i].place == nodes[target].place) {
                    targets[i].push_back(target);
                }
            }
        }
        return {Graph(std::move(targets)), std::move(nodes), static_cast<Word>(random.below(8)),
                static_cast<Word>(random.below(8))};
    }

    std::size_t words() const { return 1; }
    void initial(SuccessorBuffer& out) { graph_.initial(out); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        graph_.expand(state, out);
        return (accepting_ >> nodes_[*state].place & 1) != 0 ? kAccept : kNone;
    }
    bool stutters(const Word* from, const Word* to) const { return nodes_[*from].label == nodes_[*to].label; }
    bool is_livelock(const Word* state) const { return (livelock_ >> nodes_[*state].place & 1) != 0; }
    bool is_accepting(Word node) const { return (accepting_ >> nodes_[node].place & 1) != 0; }
    const std::vector<std::vector<Word>>& targets() const { return graph_.targets(); }

private:
    Graph graph_;
    std::vector<Node> nodes_;
    Word accepting_, livelock_; // places, as bits
};

using Step = std::function<bool(Word, Word)>;

// Whether there is a way of one step or more, by steps that are allowed.
bool leads(const Tested& space, Word from, Word to, const Step& allowed) {
    std::vector<bool> seen(space.targets().size());
    std::vector<Word> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const Word target : space.targets()[queue[i]]) {
            if (allowed(queue[i], target) && !seen[target]) {
                seen[target] = true;
                queue.push_back(target);
            }
        }
    }
    return seen[to];
}

// 0: nothing is accepted, 1: visits of accepting states, 2: a livelock, 3: both.
int accepted(const Tested& space) {
    int found = 0;
    const Step any = [](Word, Word) { return true; };
    const Step still = [&](Word from, Word to) { return space.stutters(&from, &to); };
    for (Word node = 0; node < space.targets().size(); ++node) {
        if (node != 0 && !leads(space, 0, node, any)) {
            continue;
        }
        found |= space.is_livelock(&node) && leads(space, node, node, still) ? 2 : 0;
        for (const Word target : space.targets()[node]) {
            const bool leaves = space.is_accepting(node) && !space.stutters(&node, &target);
            found |= leaves && leads(space, target, node, any) ? 1 : 0;
        }
    }
    return found;
}

// Whether a lasso is a path of the graph, comes back, and is accepted.
bool is_accepted(const Tested& space, const Outcome& outcome) {
    const Path& path = outcome.path;
    bool leaves = false, rests = true;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const Word *from = path.state(i), *to = path.state(i + 1);
        const auto& targets = space.targets()[*from];
        if (std::find(targets.begin(), targets.end(), *to) == targets.end()) {
            return false;
        }
        if (static_cast<std::int64_t>(i) >= outcome.cycle) {
            const bool changes = !space.stutters(from, to);
            leaves = leaves || (changes && space.is_accepting(*from));
            rests = rests && !changes && space.is_livelock(from);
        }
    }
    return (leaves || rests) && *path.state(static_cast<std::size_t>(outcome.cycle)) == *path.state(path.size() - 1);
}

Request for_cycles() {
    Request request;
    request.stop = kCycle;
    return request;
}

} // namespace

TEST(two_passes_find_exactly_what_a_testing_automaton_accepts) {
    std::size_t missed = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Tested space = Tested::random(seed);
        const int expected = accepted(space);
        const Outcome outcome = run_search<TestingSearch>(space, for_cycles(), TestingOptions{});
        CHECK_EQUAL(outcome.cycle >= 0, expected != 0);
        CHECK(outcome.cycle < 0 || is_accepted(space, outcome));
        const Outcome once = run_search<TestingSearch>(space, for_cycles(), TestingOptions{false});
        CHECK(once.cycle < 0 || is_accepted(space, once));
        CHECK(once.cycle >= 0 || (expected & 1) == 0); // visits are never missed
        CHECK(once.cycle >= 0 || expected != 0 || once.status != Status::kFound);
        missed += once.cycle < 0 && expected != 0;
    }
    CHECK(missed < 20); // livelocks may be, rarely
}

// The paper's figure 4(b), as far as its text tells it. Steps that change something come first.
TEST(one_pass_may_miss_a_livelock_which_the_second_finds) {
    // 0 => 1 => 2 => 3 => 4 with changes; 4 -> 2 -> 0 -> 4 without. 0, 2 and 4 are in the livelock place.
    Tested space(Graph({{1, 4}, {2}, {3, 0}, {4}, {2}}), {{0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}}, 0, 1);
    CHECK_EQUAL(accepted(space), 2);
    const Outcome once = run_search<TestingSearch>(space, for_cycles(), TestingOptions{false});
    CHECK(once.cycle < 0);
    CHECK(once.status == Status::kGaveUp);
    const Outcome twice = run_search<TestingSearch>(space, for_cycles(), TestingOptions{});
    CHECK(is_accepted(space, twice));
    Tested other(Graph({{4, 1}, {2}, {0, 3}, {4}, {2}}), {{0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}}, 0, 1);
    CHECK(run_search<TestingSearch>(other, for_cycles(), TestingOptions{false}).cycle >= 0);
}

TEST(a_cycle_without_changes_in_an_accepting_state_is_no_violation) {
    const std::vector<Tested::Node> nodes{{0, 0}, {0, 0}};
    Tested visits(Graph({{1}, {0}}), nodes, 1, 0), livelock(Graph({{1}, {0}}), nodes, 0, 1);
    CHECK(run_search<TestingSearch>(visits, for_cycles(), TestingOptions{}).cycle < 0);
    CHECK(run_search<TestingSearch>(livelock, for_cycles(), TestingOptions{}).cycle >= 0);
}

TEST(without_a_violation_two_passes_expand_each_state_twice_at_most) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Tested space = Tested::random(seed);
        const Outcome outcome = run_search<TestingSearch>(space, for_cycles(), TestingOptions{});
        CHECK(outcome.cycle >= 0 || outcome.statistics.expanded <= 2 * outcome.statistics.stored);
    }
}

TEST(the_search_by_testing_automata_keeps_its_limits) {
    std::vector<std::vector<Word>> chain(200);
    std::vector<Tested::Node> nodes(200, {0, 0});
    for (Word node = 0; node + 1 < chain.size(); ++node) {
        chain[node].push_back(node + 1);
    }
    Tested space(Graph(std::move(chain)), std::move(nodes), 0, 1);
    Request request = for_cycles();
    request.limits.states = 50;
    CHECK(run_search<TestingSearch>(space, request, TestingOptions{}).status == Status::kStates);
    request = for_cycles();
    request.limits.depth = 20;
    CHECK(run_search<TestingSearch>(space, request, TestingOptions{}).status == Status::kDepth);
}
