// Spaces made of other spaces: what a wrapper does not change is the inner space's, in every search.
#include "program/reduced_program_space.hpp"
#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/parallel_breadth_first.hpp"
#include "space/wrapper.hpp"
#include "state/tree_store.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "tests/same.hpp"
#include "tests/spaces.hpp"
#include "zone/timed_space.hpp"

#include <optional>

using namespace beeline;
using beeline::test::check_same;
using beeline::test::Graph;

namespace {

// The inner space without the arcs of one action.
template <Space Inner>
class Without : public SameStates<Without<Inner>, Inner> {
public:
    Without(std::shared_ptr<Inner> inner, std::uint32_t action)
        : SameStates<Without, Inner>(std::move(inner)), action_(action) {}
    Without(std::shared_ptr<Inner> inner, const Without& other) : Without(std::move(inner), other.action_) {}

    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        std::size_t kept = out.size();
        const std::size_t first = kept;
        const std::uint32_t marks = this->inner().expand(state, out);
        for (std::size_t i = first; i < out.size(); ++i) {
            if (out.arc(i).action != action_) {
                out.copy(i, kept++);
            }
        }
        out.cut(kept);
        return marks;
    }

private:
    std::uint32_t action_;
};

constexpr std::uint32_t kNoAction = ~0u;

// The wrapper offers what the inner space does, and no more.
using Wrapped = Without<ProgramSpace>;
static_assert(HashingSpace<Wrapped> && CheckingSpace<Wrapped> && CloneableSpace<Wrapped> && MergingSpace<Wrapped>);
static_assert(CompiledSpace<Wrapped> && ProcessSpace<Wrapped> && RepackableSpace<Wrapped> && !SlowSpace<Wrapped> &&
              !CoveringSpace<Wrapped>);
static_assert(!ReducingSpace<ProgramSpace> && ReducingSpace<Without<ReducedProgramSpace>> &&
              RepackableSpace<ReducedProgramSpace> && MergingSpace<ReducedProgramSpace>);
static_assert(CoveringSpace<Without<TimedSpace>> && JoiningSpace<Without<TimedSpace>> &&
              !CloneableSpace<Without<TimedSpace>>);
static_assert(CloneableSpace<Without<Graph>> && !HashingSpace<Without<Graph>> && !RepackableSpace<Without<Graph>>);

// The inner state, and behind it how many steps led there, up to a bound.
class Counted : public SpaceWrapper<Graph> {
public:
    explicit Counted(std::shared_ptr<Graph> inner, Word most) : SpaceWrapper(std::move(inner)), most_(most) {}

    std::size_t words() const { return inner().words() + 1; }
    void initial(SuccessorBuffer& out) {
        SuccessorBuffer arcs(inner().words());
        inner().initial(arcs);
        add(arcs, 0, out);
    }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        SuccessorBuffer arcs(inner().words());
        const std::uint32_t marks = inner().expand(state, arcs);
        if (state[inner().words()] < most_) {
            add(arcs, state[inner().words()] + 1, out);
        }
        return marks;
    }

private:
    void add(const SuccessorBuffer& arcs, Word steps, SuccessorBuffer& out) {
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const SuccessorBuffer::Arc& arc = arcs.arc(i);
            Word* const target = out.add(arc.action, arc.marks, arc.detail);
            *std::copy_n(arcs.state(i), inner().words(), target) = steps;
        }
    }
    Word most_;
};

static_assert(Space<Counted> && PartlyEstimatedSpace<Counted> && !CloneableSpace<Counted>);

Request ask(std::uint32_t stop) {
    Request request;
    request.stop = stop;
    request.limits.states = 20000;
    return request;
}

template <class S>
Outcome together(S& space, const Request& request) {
    const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
        return SharedStore(space.words(), account, max_states, side_bytes);
    };
    return run_with_store<ParallelBreadthFirst>(space, request, make, std::size_t{2}, std::size_t{8});
}

template <class S>
Outcome in_trees(S& space, const Request& request) {
    const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t) {
        return TreeStore(space.words(), account, max_states, 64);
    };
    return run_with_store<BreadthFirst>(space, request, make);
}

} // namespace

TEST(a_wrapper_that_changes_nothing_is_searched_like_the_inner_space) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        const auto program = test::read_program(file);
        for (const std::uint32_t stop : {0u, std::uint32_t{kGoal | kError | kDeadlock}}) {
            const Request request = ask(stop);
            const auto inner = [&] { return std::make_shared<ProgramSpace>(program, false, 50); };
            const std::shared_ptr<ProgramSpace> bare = inner();
            Wrapped wrapped(inner(), kNoAction);
            ReducedProgramSpace unreduced = reduced(inner(), nullptr, nullptr);
            check_same(run_search<BreadthFirst>(*bare, request), run_search<BreadthFirst>(unreduced, request));
            check_same(run_search<BreadthFirst>(*bare, request), together(unreduced, request));
            check_same(run_search<BreadthFirst>(*bare, request), run_search<BreadthFirst>(wrapped, request));
            check_same(run_search<BreadthFirst>(*bare, request), together(wrapped, request));
            check_same(in_trees(*bare, request), in_trees(wrapped, request));
            const std::optional<std::uint64_t> seed;
            check_same(run_search<DepthFirst>(*bare, request, seed), run_search<DepthFirst>(wrapped, request, seed));
        }
    }
}

TEST(a_wrapper_leaves_out_the_arcs_of_one_action) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto graph = std::make_shared<Graph>(Graph::random(200, 4, seed));
        Without<Graph> wrapped(graph, 2);
        std::vector<std::vector<Word>> fewer = graph->targets();
        std::vector<std::vector<Word>> kept(fewer.size());
        for (std::size_t node = 0; node < fewer.size(); ++node) {
            for (std::size_t i = 0; i < fewer[node].size(); ++i) {
                if (i + 1 != 2) {
                    kept[node].push_back(fewer[node][i]);
                }
            }
        }
        Graph expected(kept);
        CHECK_EQUAL(run_search<BreadthFirst>(wrapped, ask(0)).statistics.stored,
                    run_search<BreadthFirst>(expected, ask(0)).statistics.stored);
    }
}

TEST(a_product_has_words_behind_those_of_the_inner_space) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto graph = std::make_shared<Graph>(Graph::random(200, 3, seed));
        Counted counted(graph, 1000000);
        const std::vector<long> distances = graph->distances();
        graph->goal = static_cast<Word>(seed * 7 % 199 + 1);
        Request request = ask(kGoal);
        const Outcome outcome = run_search<BreadthFirst>(counted, request);
        const bool reachable = distances[graph->goal] >= 0;
        CHECK_EQUAL(outcome.status == Status::kFound, reachable);
        if (reachable) {
            CHECK_EQUAL(static_cast<long>(outcome.path.state(outcome.path.size() - 1)[1]), distances[graph->goal]);
        }
    }
}
