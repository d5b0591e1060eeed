// Exact label reduction (Sievers, Wehrle and Helmert, "Generalized label reduction for merge-and-shrink heuristics",
// AAAI 2014): labels of equal cost that every other system treats alike become one, whose moves in this system are
// those of all. The product's distances stay the same. What the first paper calls hiding is the case of labels that no
// other system mentions.
#pragma once

#include "abstraction/transition_system.hpp"

namespace beeline {

// Joins labels that differ in system `which` only, and its relations that are equal; drops relations that no label
// uses, labels that cannot be taken, and uses that say no more than "stays". Returns what became of each label: its new
// number, or LabelledSystem::kStays or kNever.
std::vector<std::int32_t> reduce_labels(TransitionSystem& system, std::int32_t which, std::vector<Label>& labels);

// Whether there are labels that differ in system `which` only, or seem to: a quick look before they are joined.
bool has_combinable_labels(std::int32_t which, const std::vector<Label>& labels);

} // namespace beeline
