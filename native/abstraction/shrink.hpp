// Which states of a system become one when it has too many.
//
// The error distance comes first: only states of one distance are joined, as far as the bound on classes allows to tell
// distances apart. Synchronisation comes second: classes are split by what their states can do, bucket by bucket of
// equal distance (Draeger, Finkbeiner and Podelski, "Directed model checking with distance-preserving abstractions",
// SPIN 2006). A bucket that would give too many classes stays as it is there; here room that is left in the end is used
// for single classes.
#pragma once

#include "abstraction/transition_system.hpp"

namespace beeline {

enum class Shrink : std::uint8_t {
    kNearFirst,    // whole buckets, those near the goal first
    kFarFirst,     // whole buckets, those far from the goal first
    kBisimulation, // single classes, those near the goal first, until nothing is left to split or to spend
};

// A class for each state, numbered without gaps in the order of their first states. At most `most` of them.
std::vector<std::int32_t> classes_of(const TransitionSystem& system, std::int32_t most, Shrink how,
                                     std::int32_t& count);

} // namespace beeline
