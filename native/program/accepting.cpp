#include "program/accepting.hpp"

namespace beeline {

bool is_accepting(const Program& program, const Word* state) {
    if (!has_accepting(program)) {
        return false;
    }
    const auto value = [&](std::int32_t cell) { return program.packing[at(cell)].value(state); };
    if (is_controlled(program, state)) {
        return false; // a monitor does not look at the middle of a run
    }
    if (program.monitor_cell >= 0 && program.monitor[at(value(program.monitor_cell))].accept != 0) {
        return true;
    }
    if ((program.flags & kSeeksLabels) == 0) {
        return false;
    }
    for (const ProcessPlan& process : program.plan.processes) {
        const std::int32_t first = program.plan.first_locations[at(process.row + value(process.tag))];
        if (first < 0) {
            return false;
        }
        if ((program.plan.locations[at(first + value(process.location))].flags & kAcceptLabel) != 0) {
            return true;
        }
    }
    return false;
}

} // namespace beeline
