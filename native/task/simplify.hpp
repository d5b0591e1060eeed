// What of a task a heuristic by relaxation has to look at: steps without effects that matter, and steps that are never
// better than an earlier one, are left out. No estimate changes by that, not even in how it breaks ties.
#pragma once

#include "task/task.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

// An operator, or a goal: a step whose only effect is the fact after all others.
struct RelaxedStep {
    std::vector<std::int32_t> conditions;
    std::vector<std::int32_t> effects; // without those among the conditions, and without facts that nothing asks for
    std::int32_t cost;
    std::int32_t source; // the operator; -1 for a goal
};

// With `may_remove`, operators can be taken away later on (see Removal): none stands for another then. Operators stay
// in their order, and goals follow.
std::vector<RelaxedStep> relevant_steps(const Task& task, bool may_remove);

} // namespace beeline
