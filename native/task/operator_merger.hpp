// Operators that differ only in the value of one cell, and together allow all its values, are one that does not ask.
// Without this a label that everyone takes part in would seem to depend on where everyone is.
#pragma once

#include "task/task.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

// `fact_cell` tells the cell of each fact; all facts are there.
void merge_operators(std::vector<Operator>& operators, const std::vector<std::int32_t>& fact_cell, std::size_t cells);

} // namespace beeline
