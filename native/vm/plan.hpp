// What is worked out about a program once, when it is loaded, so that expanding a state need not find it out again.
//
// Most guards are a few comparisons and most effects a few assignments. Those are kept here in a form that needs no
// virtual machine, and the successor can then be written straight into its packed words.
#pragma once

#include <cstdint>
#include <vector>

namespace beeline {

class Program;
struct Instruction;

// A comparison of two cells.
struct Test {
    enum Accept : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4 };

    std::int32_t left, right;
    std::uint32_t accepted; // the outcomes for which it holds

    bool holds(const std::int32_t* cells) const {
        const std::int32_t x = cells[left];
        const std::int32_t y = cells[right];
        return (accepted >> (1 + (x > y) - (x < y)) & 1u) != 0;
    }
};

// The first thing to ask of an edge that would begin a step: mostly the answer is no, and this small record decides it.
struct Gate {
    Test test; // of the guard, or of a channel's length; accepts nothing if the edge can begin no step
    std::int32_t rank;
};

// cell := left + right, or left - right, of cells.
struct Assignment {
    std::int32_t compute; // a block to run first, which changes scratch cells only; -1 for none
    std::int32_t cell;    // -1: there is only the block
    std::int32_t index;   // with an extent: a cell whose value is added to the target's number
    std::int32_t extent;
    std::int32_t left, right;
    std::int32_t sign;   // 0 adds, -1 subtracts
    std::int32_t low;    // values from here ..
    std::uint32_t span;  // .. to this much above are stored as they are,
    std::int32_t domain; // others under this domain

    std::int32_t value(const std::int32_t* cells) const {
        const auto other = static_cast<std::uint32_t>(cells[right] ^ sign) - static_cast<std::uint32_t>(sign);
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(cells[left]) + other);
    }
    bool is_plain(std::int32_t value) const {
        return static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(low) <= span;
    }
};

// Bits of one word of a packed state that an edge always sets in the same way.
struct Patch {
    std::uint32_t word, keep, bits;
};

// What a block does, as assignments in order, none of which reads what another writes.
struct EffectPlan {
    std::int32_t block = -1; // -1: does nothing
    std::int32_t first = 0, count = 0;
    bool planned = true; // otherwise the block must be run
    bool reads = false;  // some cell of the state
};

struct EdgePlan {
    std::int32_t first_test, tests; // the guard is the conjunction of these tests,
    std::int32_t guard;             // or if not -1 this block
    std::int32_t sync, rank, target;
    std::int32_t location;     // the cell of the process's location
    std::int32_t channel;      // position in the program's channels; -1 if it must be computed
    std::int32_t first_source; // in `sources`: the cells with the values to send or compare; -1: run their block
    EffectPlan bind, effect;
    std::int32_t first_patch, patches;  // the new location, and the constants that `changes` leaves out
    std::int32_t first_change, changes; // the effect's assignments of other values than constants
    bool direct;                        // its target can be written straight into packed words
    bool steady;                        // evaluating channel and values cannot fail
    bool terminates;
    bool straight; // leads into a deterministic region
    bool never;    // the guard is constantly false
};

struct LocationPlan {
    std::int32_t first_edge, end_edge;
    std::int32_t flags;
    std::uint64_t listens; // the channels that it may receive from, by number modulo 64
    bool meeting;          // several ways lead here, so that a run can come here twice
};

// Where to look for a process: its locations begin at `first_locations[row + cells[tag]]`, -1 if there is no process.
struct ProcessPlan {
    std::int32_t tag, location, row;
};

struct Plan {
    std::vector<Test> tests;
    std::vector<Assignment> assignments;
    std::vector<Patch> patches;
    std::vector<std::int32_t> sources;
    std::vector<EdgePlan> edges;                      // as in the program
    std::vector<Gate> gates;                          // by edge
    std::vector<std::int32_t> constants;              // of cells behind the program's own, from `Program::zero_cell` on
    std::vector<LocationPlan> locations;              // as in the program
    std::vector<ProcessPlan> processes;               // as in the program
    std::vector<std::vector<std::int32_t>> listeners; // the processes that may receive, by channel (see `listeners_to`)
    std::vector<std::int32_t> first_locations;
    std::vector<Instruction> code; // the program's, and blocks that compute parts of effects
    bool has_committed = false;
    bool has_provided = false;
    bool has_afterthoughts = false; // the last mover or scratch variables

    // Some may be listed who cannot receive from this channel.
    const std::vector<std::int32_t>& listeners_to(std::int32_t channel) const {
        return listeners[static_cast<std::size_t>(channel) % listeners.size()];
    }
};

inline constexpr std::uint64_t listening_bit(std::int32_t channel) {
    return std::uint64_t{1} << (static_cast<std::uint32_t>(channel) & 63u);
}

Plan make_plan(const Program& program);

} // namespace beeline
