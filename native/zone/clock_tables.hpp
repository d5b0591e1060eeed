// What a program with clocks has besides its bytecode: constraints of guards, invariants and goals, resets, and the
// constants that zones are widened by. Made by beeline.timed.tables; the order of a row's numbers is that of the
// fields.
#pragma once

#include "vm/program.hpp"
#include "zone/extrapolate.hpp"

#include <vector>

namespace beeline {

enum class Comparison : std::int32_t { Less, AtMost, Equal, AtLeast, Greater, COUNT };

// x - y compared with a bound, unless a condition holds. Clocks and bound are numbers, or computed by a block (-1:
// not).
struct ClockTest {
    std::int32_t unless, x, x_block, y, y_block, comparison, bound, bound_block;
};

// Constraints of one edge, or rates of one location.
struct TableRange {
    std::int32_t first, count;
};

// An invariant: a condition without clocks, and constraints. In an urgent location time may not pass.
struct InvariantRow {
    std::int32_t condition, first, count, urgent;
};

// A clock that runs, or stands still where the value is 0, unless a condition holds.
struct RateRow {
    std::int32_t unless, clock, clock_block, value, value_block;
};

// One way to satisfy the goal. `deadlock` is 1 if the state must be a deadlock, -1 if not, 0 if it does not matter.
struct GoalCase {
    std::int32_t condition, first, count, deadlock;
};

// What is measured over all states in which the goal holds: a clock, or the value of an expression without clocks.
struct MeasureRow {
    std::int32_t is_clock, number, block; // the clock or value, computed by the block unless that is -1
};

struct ClockLimit {
    std::int32_t clock, lower, upper; // -1: never compared in that way
};

enum class Extrapolation : std::int32_t { None, M, MPlus, LU, LUPlus, COUNT };

class ClockTables {
public:
    // Throws std::invalid_argument, with a sentence, for tables that do not fit the program.
    ClockTables(const Tables& tables, const Program& program);

    std::size_t dim = 1; // clocks and the reference clock
    std::vector<ClockTest> tests;
    std::vector<TableRange> edges;          // by edge of the program
    std::vector<InvariantRow> invariants;   // by location of the program
    std::vector<RateRow> rates;             // none: all clocks run
    std::vector<TableRange> location_rates; // by location of the program
    std::vector<GoalCase> goals;
    std::vector<GoalCase> avoided;  // what runs may not meet in a confined space
    std::vector<GoalCase> premises; // where a promise to meet it begins
    std::vector<MeasureRow> measures;
    std::vector<std::vector<ClockLimit>> limits; // by location of the program
    std::vector<ClockLimit> base_limits;         // everywhere
    std::vector<zone::Diagonal> diagonals;
    std::vector<std::int32_t> clock_of_cell; // 0: the cell is no reset request
    std::vector<std::uint8_t> urgent_channels;
    Extrapolation extrapolation = Extrapolation::LUPlus;
    std::int32_t elapsed = 0; // the clock that tells the time since the start, the last one; 0: none
    bool finds_deadlocks = false;
    bool confined = false; // to runs that meet nothing of what is avoided
    bool has_urgent_channels = false;
    bool merges = false; // zones whose union is one are merged in the store

private:
    void check(const Program& program) const;
    void check_tests(std::int32_t first, std::int32_t count) const;
};

} // namespace beeline
