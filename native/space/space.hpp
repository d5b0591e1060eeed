// The one interface between searches and what they search.
//
// A space hands out packed states (a fixed number of 32-bit words) and labelled arcs between them. Searches are
// templates over a Space and know nothing else: plain programs, user-written Python classes, zone graphs and products
// all look like this. Arcs are never merged: two transitions to the same state are two arcs.
#pragma once

#include "state/successors.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace beeline {

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

// A space with a type `GivesHashes` sets the hash of every arc that has a target.
template <class S>
inline constexpr bool gives_hashes = requires { typename S::GivesHashes; };

// Thrown by the expansion of a state where the layout of words in use has no room for a cell's value. With the full
// layout, only malformed programs get here.
struct TooNarrow : std::invalid_argument {
    TooNarrow(std::int32_t cell, std::int32_t value)
        : std::invalid_argument("a step stores a value outside the range of its cell"), cell(cell), value(value) {}
    std::int32_t cell, value;
};

// A space that can change the layout of its words during a search; see ProgramSpace.
template <class S>
inline constexpr bool changes_layout = requires(S& space, const Word* from, Word* to) { space.convert(from, to); };

} // namespace beeline
