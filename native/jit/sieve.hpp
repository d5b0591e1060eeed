// Which values of single cells keep a process from every step, so that native code need not ask it.
//
// A guard is walked through with the value of one cell known and those of the others open. If every way through it
// leads to "no", the process has no step in a state with this value. A way to an error counts for the cell that the
// last jump before the error asked: with such a value the process is asked, whatever other cells say. So a process is
// passed over only in states in which its guards are evaluated without an error, to false.
#pragma once

#include "vm/program.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

struct CellSieve {
    std::int32_t cell = 0;
    // By value, from the cell's lowest on: whether it leaves a way to a step, and whether a guard may fail because of
    // it.
    std::vector<bool> passes, fails;
};

// The cells that keep a process from its steps at a location with some value; none if little is known of its guards.
std::vector<CellSieve> sieves_of(const Program& program, std::int32_t location);

} // namespace beeline
