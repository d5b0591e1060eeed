// What one process can do in a state, with all on which that depends: for engines that work with sets of states.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

struct LocalStep {
    std::uint32_t action, marks, detail; // as of an arc
    bool passes_committed;               // whether it is possible beside a committed location
    std::int64_t priority;               // of all steps of a state, those of the highest priority are possible
    std::vector<std::pair<std::int32_t, std::int32_t>> writes; // cells with their new values; an error has none
};

// Wherever the cells that were read have the same values, the steps are the same: each writes the same values to the
// same cells, whatever was there, and leaves all others as they are.
struct LocalSteps {
    std::vector<std::int32_t> reads;
    std::vector<LocalStep> steps;
};

} // namespace beeline
