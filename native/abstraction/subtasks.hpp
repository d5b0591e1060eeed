// What abstractions can aim at besides the goal as a whole: parts of the goal, and values that every way to it passes.
#pragma once

#include "abstraction/cartesian_states.hpp"
#include "task/allowance.hpp"

#include <vector>

namespace beeline {

// Each factor that the goal asks for, alone.
std::vector<CartesianAim> goal_aims(const FactoredTask& task);

// Each value that a factor must have at some time on every way from the initial state to the goal, deletions left out
// (Seipp, Helmert, "Diverse and additive Cartesian abstraction heuristics", ICAPS 2014). Without such a value only some
// values of other factors can be met, and the goal is not among them. So a state all of whose values are among them
// must still meet it, even if it was there before; any other state is taken to have met it.
std::vector<CartesianAim> landmark_aims(const FactoredTask& task, Allowance& allowance);

} // namespace beeline
