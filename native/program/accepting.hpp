// Which states of a program are accepting: cycles through them are violations.
#pragma once

#include "state/word.hpp"
#include "vm/at.hpp"
#include "vm/program.hpp"

namespace beeline {

// Whether a program has accepting states at all.
inline bool has_accepting(const Program& program) {
    return program.monitor_cell >= 0 || (program.flags & kSeeksLabels) != 0;
}

// Whether a process keeps control in a state: it lies in the middle of an uninterrupted run.
inline bool is_controlled(const Program& program, const Word* state) {
    return program.control >= 0 && program.packing[at(program.control)].value(state) >= 0;
}

// By the place of the monitor, or where asked for by the labels of processes.
bool is_accepting(const Program& program, const Word* state);

} // namespace beeline
