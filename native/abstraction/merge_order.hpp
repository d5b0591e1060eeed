// Which two systems are composed next.
#pragma once

#include "abstraction/transition_system.hpp"

#include <optional>

namespace beeline {

enum class MergeOrder : std::uint8_t {
    kRanking,    // the pair that a label joins whose moves lead closest to the goal (SPIN 2006, section 3.3; the DFP
                 // score of merge-and-shrink)
    kNearest,    // likewise; among such pairs the one with the smallest product
    kDefinition, // in the order of the model: one system grows
    kSmallest,   // the pair with the smallest product among those that some label joins
};

// The two by number, the smaller first; nothing if the goal asks for nothing in any of them, or only one is left.
// Systems that are gone have no states.
std::optional<std::pair<std::int32_t, std::int32_t>> next_pair(const std::vector<TransitionSystem>& systems,
                                                               const std::vector<Label>& labels, MergeOrder order);

} // namespace beeline
