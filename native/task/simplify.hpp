// What of a task a heuristic by relaxation has to look at: steps without effects that matter, and steps that are never
// better than an earlier one, are left out. No estimate changes by that, not even in how it breaks ties, but for hFF:
// of equals it takes the last one, and those left out are none.
#pragma once

#include "task/rows.hpp"
#include "task/task.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

// Operators in their order, and after them goals: steps whose only effect is the fact after all others.
struct RelaxedSteps {
    Rows conditions;
    Rows effects; // without those among the conditions, and without facts that nothing asks for
    std::vector<std::int32_t> cost;
    std::vector<std::int32_t> source; // the operator; -1 for a goal
};

// With `may_remove`, operators can be taken away later on (see Removal): none stands for another then.
RelaxedSteps relevant_steps(const Task& task, bool may_remove);

} // namespace beeline
