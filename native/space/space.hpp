// The interface between searches and what they search.
//
// A space hands out packed states (a fixed number of 32-bit words) and labelled arcs between them. Searches are
// templates over a Space: compiled programs, user-written Python classes, zone graphs and products all look like this.
// Arcs are never merged: two transitions to the same state are two arcs.
//
// A space may offer more than that. Each offer is a concept below, and there are no others: a search asks for these
// and for nothing else of a space. `space/wrapper.hpp` forwards them from one space to another.
#pragma once

#include "state/memory.hpp"
#include "state/stack.hpp"
#include "state/successors.hpp"
#include "state/tree_shape.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace beeline {

class Program;

// Thrown by a space whose user asked to stop: the search ends with what it knows.
struct Interrupted {};

template <class S>
concept Space = requires(S space, const Word* state, SuccessorBuffer& out) {
    { space.words() } -> std::convertible_to<std::size_t>;
    // Appends the initial states (action 0); an arc marked kGoal violates at once.
    { space.initial(out) } -> std::same_as<void>;
    // Appends every arc leaving `state` in a fixed order and returns Mark bits of `state` itself.
    { space.expand(state, out) } -> std::convertible_to<std::uint32_t>;
};

// Sets the hash of every arc that has a target to hash_words of the target.
template <class S>
concept HashingSpace = Space<S> && requires { requires S::kGivesHashes; };

// Takes long to expand a state (it calls user code), so that it is watched after each expansion and never batched.
template <class S>
concept SlowSpace = Space<S> && requires { requires S::kIsSlow; };

// Can say whether words are a state of it: `check_state` throws std::invalid_argument if not.
template <class S>
concept CheckingSpace = Space<S> && requires(S space, const Word* state) { space.check_state(state); };

// Has states of which heuristics look at the first `estimated_words` words only.
template <class S>
concept PartlyEstimatedSpace = Space<S> && requires(const S& space) {
    { space.estimated_words() } -> std::convertible_to<std::size_t>;
};

// Has states that cover others, which only a store of its own can tell.
template <class S>
concept CoveringSpace = Space<S> && requires(S space, MemoryAccount& account) {
    space.make_store(account, /*max_states=*/std::size_t{}, /*side_bytes=*/std::size_t{});
};

// Leads along runs that avoid something: `Whole` is the same space without that, and `begin` appends the states that
// such runs are in from a state of it on, wherever they may begin there.
template <class S>
concept ConfinedSpace = CoveringSpace<S> && requires(S space, const Word* state, SuccessorBuffer& out) {
    typename S::Whole;
    space.begin(state, out);
};

// Can be expanded by several threads, each with a clone, which takes over the layout of words by `follow`.
template <class S>
concept CloneableSpace = Space<S> && requires(S space, const S& view) {
    { view.clone() } -> std::same_as<std::unique_ptr<S>>;
    space.follow(view);
};

// Can be searched by others meanwhile, though not share a store with them: `twin` is a space with the same states and
// steps, under the same numbers.
template <class S>
concept TwinSpace = Space<S> && requires(const S& view) {
    { view.can_have_twins() } -> std::same_as<bool>;
    { view.twin() } -> std::same_as<std::unique_ptr<S>>;
};

// Can take uninterrupted runs as one arc: `merging_clone` is a space that does so, null where it cannot or where that
// would not be quicker. `repeated_ways` tells how many ways through such runs from the state expanded last have no arc,
// since they met others before their end.
template <class S>
concept MergingSpace = Space<S> && requires(const S& space) {
    { space.merging_clone() } -> std::same_as<std::unique_ptr<S>>;
    { space.merges() } -> std::same_as<bool>;
    { space.repeated_ways() } -> std::same_as<std::uint64_t>;
};
template <class S>
std::uint64_t repeated_ways(const S& space) {
    if constexpr (MergingSpace<S>) {
        return space.repeated_ways();
    } else {
        return 0;
    }
}

// Can leave out arcs (partial-order reduction). While it `reduces()`, a search calls `reduce` after each `expand`: it
// takes arcs of `state` out of the buffer from `first` on, and asks `is_done(arc, visited)` whether the target of an
// arc is done or, with `visited`, was ever seen. `reduces_by_visited()`: it does ask the latter.
template <class S>
concept ReducingSpace = Space<S> && requires(S space, const S& view, const Word* state, SuccessorBuffer& arcs,
                                             bool (*is_done)(std::size_t, bool)) {
    { view.reduces() } -> std::same_as<bool>;
    { view.reduces_by_visited() } -> std::same_as<bool>;
    space.reduce(state, arcs, /*first=*/std::size_t{}, is_done);
};

// Counts what it does: what it does next may depend on that, or it is told in the end. A search that goes back, or goes
// on from a checkpoint, puts the counts back.
template <class S>
concept TallyingSpace = Space<S> && requires(S space, const S& view) { space.put_back(view.tally()); };

struct NoTally {};

template <class S>
auto tally_of(const S& space) {
    if constexpr (TallyingSpace<S>) {
        return space.tally();
    } else {
        return NoTally{};
    }
}

template <class S>
void put_back([[maybe_unused]] S& space, [[maybe_unused]] const decltype(tally_of(space))& tally) {
    if constexpr (TallyingSpace<S>) {
        space.put_back(tally);
    }
}

// Has cycles that are accepting if their arcs meet `acceptance_sets()` sets, which the arcs' marks name from kFirstSet
// on; where that is none, those through a state marked kAccept are.
template <class S>
concept GeneralisedSpace = Space<S> && requires(const S& space) {
    { space.acceptance_sets() } -> std::convertible_to<std::size_t>;
};
template <class S>
std::size_t acceptance_sets(const S& space) {
    if constexpr (GeneralisedSpace<S>) {
        return space.acceptance_sets();
    } else {
        return 0;
    }
}

// Has the states of a compiled program, packed as `program()` has them, which changes with the layout. For wrappers
// that read states; searches do not ask for it.
template <class S>
concept CompiledSpace = Space<S> && requires(const S& space) {
    { space.program() } -> std::same_as<const Program&>;
};

// Knows which process begins a step: `process_of(action)` is a number below `processes()`, or negative for steps of
// none.
template <class S>
concept ProcessSpace = Space<S> && requires(const S& space, std::uint32_t action) {
    { space.processes() } -> std::convertible_to<std::size_t>;
    { space.process_of(action) } -> std::convertible_to<std::int32_t>;
};

// Has numbers of its own for steps that several processes take together: `parts_of(action)` are the edge of the process
// that begins the step, by which heuristics know it, and one more than that of a second process, 0 if there is none.
using StepParts = std::pair<std::uint32_t, std::uint32_t>;
template <class S>
concept JoiningSpace = Space<S> && requires(const S& space, std::uint32_t action) {
    { space.parts_of(action) } -> std::same_as<StepParts>;
};

// Is watched by a testing automaton, which reads changes: `stutters` tells whether a step from one state to another
// changes nothing of what it reads, `is_livelock` whether a run that only stutters from a state on is a violation. An
// accepting state (kAccept) counts where it is left by a step that does change something.
template <class S>
concept TestedSpace = Space<S> && requires(const S& space, const Word* state) {
    { space.stutters(state, state) } -> std::same_as<bool>;
    { space.is_livelock(state) } -> std::same_as<bool>;
};

// Thrown by the expansion of a state where the layout of words in use has no room for a cell's value. With the full
// layout, only malformed programs get here.
struct TooNarrow : std::invalid_argument {
    TooNarrow(std::int32_t cell, std::int32_t value)
        : std::invalid_argument("a step stores a value outside the range of its cell"), cell(cell), value(value) {}
    std::int32_t cell, value;
};

// Can change the layout of its words during a search, after `sample()` states. `tighten` takes the layout that some
// states need, `widen` one with room for a value that was too much, `use_full_layout` the one with room for every
// value; the first and the last say whether there was a change. Then `convert` writes a state of the layout before in
// the present one, `keeps_hashes` tells whether no state's hash differs, and `unit_places` where each cell lies.
// Between such calls, `expand` may throw TooNarrow; the space must then change its layout, or be dropped.
template <class S>
concept RepackableSpace =
    CloneableSpace<S> && requires(S space, const S& view, const Word* from, Word* to, StateAt state) {
        { view.sample() } -> std::convertible_to<std::size_t>;
        { space.tighten(/*count=*/std::size_t{}, state) } -> std::same_as<bool>;
        space.widen(TooNarrow(0, 0));
        { space.use_full_layout() } -> std::same_as<bool>;
        view.convert(from, to);
        { view.keeps_hashes() } -> std::same_as<bool>;
        { view.unit_places() } -> std::same_as<UnitPlaces>;
    };

} // namespace beeline
