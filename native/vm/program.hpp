// A compiled network: cells, bytecode and transition tables, checked once when it is loaded so that running it needs
// no further checks. Made by beeline.compile.program; the order of a row's numbers is the order of the fields here.
#pragma once

#include "vm/plan.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace beeline {

enum class Op : std::int32_t {
#define OP(name, signature) name,
#include "vm/opcodes.def"
#undef OP
    COUNT
};

struct OpInfo {
    const char* name;
    const char* signature;
};
const std::vector<OpInfo>& op_table();

// Kinds of run-time errors, in the order of beeline.compile.expressions.ERRORS.
enum class Error : std::int32_t {
    Assertion,
    Index,
    Range,
    Division,
    Channel,
    Processes,
    Blocked,
    Loop,
    Undefined,
    Assumption, // the step is not possible after all
    Outside,    // it leads to a state that is not looked at
    COUNT
};
inline bool is_left_out(Error error) { return error == Error::Assumption || error == Error::Outside; }

struct Instruction {
    std::int32_t op, a, b, c, d, e;
};

// What a stored value must look like.
struct Domain {
    std::int32_t low, high, wrap;

    // Makes a value one of the domain; false if it is none and does not wrap.
    bool fit(std::int32_t& value) const {
        if (value >= low && value <= high) {
            return true;
        }
        if (wrap == 0) {
            return false;
        }
        // The span is a power of two, so that the remainder is a mask even for negative differences.
        const auto first = static_cast<std::uint32_t>(low);
        const std::uint32_t mask = static_cast<std::uint32_t>(high) - first;
        value = static_cast<std::int32_t>(((static_cast<std::uint32_t>(value) - first) & mask) + first);
        return true;
    }
};

struct ChannelPlace {
    std::int32_t length, base, capacity, broadcast, priority, first_domain, fields;
};

// The cells of one process number.
struct ProcessPlace {
    std::int32_t tag, location, priority, first_cell, end_cell;
};

// One kind of process on one process number. Channels, cells, locations are ranges of the program's tables.
struct Body {
    std::int32_t number, kind, initial_location, locals, locals_count, first_parameter, parameters, setup, provided,
        first_channel, channels, first_initial, first_location, locations;
};

enum LocationFlag { kCommitted = 1, kDeterministic = 2, kEnd = 4, kProgress = 8, kAcceptLabel = 16 };

struct LocationRow {
    std::int32_t flags, first_edge, edges;
};

enum class Sync : std::int32_t { None, Send, Receive, Together };
enum EdgeFlag { kSorted = 1, kAnywhere = 2, kKeep = 4, kKeepsControl = 8, kTerminates = 16, kOtherwise = 32 };

// Blocks are named by the position of their first instruction, -1 for none.
struct EdgeRow {
    std::int32_t guard, sync, channel, channel_block, values_block, first_value, values, patterns, bind, effect, target,
        rank, flags, label;
    bool is(Sync kind) const { return sync == static_cast<std::int32_t>(kind); }
};

// `halted` is the place that stands for this one once the network cannot move any more.
struct MonitorRow {
    std::int32_t end, accept, halted, first_edge, edges;
};

struct MonitorEdge {
    std::int32_t guard, effect, target, rank, sets; // of acceptance, as bits
};

enum ProgramFlag {
    kLossy = 1,
    kPriorities = 2,
    kChannelPriorities = 4,
    kUsesTimeout = 8,
    kReceiversFirst = 16,
    kCommittedTogether = 32,
    kGrowable = 64,     // more process numbers can be had by compiling again
    kSeeksLabels = 256, // states with a process at an accept label are accepting, whatever a monitor says
    kEagerSends = 128,  // what a handshake sends is computed, and may fail, even where nobody waits for it
    kOpened = 512,      // the steps of the first process lead to the initial states
    kStuttering = 1024  // a state that all steps lead back to is a deadlock
};

// Where a cell's bits are in a packed state.
struct Packing {
    std::int32_t cell;
    std::int32_t low;
    std::uint32_t word;
    std::uint32_t shift;
    std::uint32_t mask; // 0 for a cell with one possible value
    std::uint32_t keep; // the word's other bits

    // Whether there are bits for a value of the cell: always, unless the layout is a narrow one.
    bool holds(std::int32_t value) const {
        return static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(low) <= mask;
    }
    // For values that it holds.
    std::uint32_t bits(std::int32_t value) const {
        return (static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(low)) << shift;
    }
    std::int32_t value(const std::uint32_t* words) const {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + (words[word] >> shift & mask));
    }
    void put(std::uint32_t* words, std::int32_t value) const { words[word] = (words[word] & keep) | bits(value); }
};

// Plain tables as Python made them.
struct Tables {
    std::map<std::string, std::vector<std::vector<std::int32_t>>> rows;
    std::map<std::string, std::vector<std::int32_t>> lists;
    std::map<std::string, std::int32_t> numbers;
};

// Lowest and highest value by cell.
struct Ranges {
    std::vector<std::int32_t> low, high;
};

class Program {
public:
    // Throws std::invalid_argument, with a sentence, for tables that are not a well-formed program.
    explicit Program(const Tables& tables);

    std::vector<Instruction> code;
    std::vector<Domain> domains;
    std::vector<std::int32_t> low, high; // bounds of the state's cells
    std::vector<std::int32_t> constants;
    std::int32_t state_cells = 0, memory_cells = 0;
    std::vector<std::vector<std::uint8_t>> location_sets; // membership by location
    std::vector<std::vector<std::int32_t>> pattern_lists;
    std::vector<ChannelPlace> channels; // the network's first, then those of bodies
    std::int32_t network_channels = 0;
    std::vector<std::int32_t> field_domains, parameter_domains;
    std::vector<ProcessPlace> processes;
    std::vector<Body> bodies;
    std::vector<std::vector<std::int32_t>> body_of; // by process number and tag (kind + 1); -1 where impossible
    std::vector<std::vector<std::int32_t>> initial_cells;
    std::vector<LocationRow> locations;
    std::vector<EdgeRow> edges;
    std::vector<std::int32_t> number_of_edge; // the process number that an edge belongs to
    std::vector<MonitorRow> monitor;
    std::vector<MonitorEdge> monitor_edges;
    std::vector<std::vector<std::uint8_t>> label_members; // by label and kind
    std::vector<std::vector<std::int32_t>> hidden;
    std::vector<std::int32_t> initial;
    std::vector<std::uint8_t> goal_reads; // by cell: may change the goal's truth
    std::int32_t kinds = 0, timeout_cell = 0, message_cell = 0, message_cells = 0, control = -1, last = -1,
                 monitor_cell = -1, acceptance_sets = 0, goal = -1, flags = 0;
    bool has_owned_channels = false;

    std::int32_t zero_cell = 0; // the first of the plan's constants, which is 0
    Plan plan;

    std::vector<Packing> packing;           // by cell
    std::vector<Packing> packed_cells;      // only cells that take bits, in the order of words
    std::vector<std::size_t> first_of_word; // where the cells of each word begin in it, and its size
    std::size_t words = 1;
    std::vector<std::uint64_t> hash_keys; // by word

    void pack(const std::int32_t* cells, std::uint32_t* words) const;
    void unpack(const std::uint32_t* words, std::int32_t* cells) const;
    // The same where `cells` and `old` hold another state already; afterwards both hold the new one. Returns the
    // difference of their hash sums.
    std::uint64_t unpack_changed(const std::uint32_t* words, std::uint32_t* old, std::int32_t* cells) const;
    // The same program with bits for these values of each cell only; whoever packs values must look whether they fit.
    Program with_ranges(const Ranges& ranges) const;
    // In the layout of another program that has the same cells.
    Program in_layout_of(const Program& other) const;
    // The same with bits for these values of one cell; the others stay where they are.
    Program with_range(std::int32_t cell, std::int32_t low, std::int32_t high) const;
    // Throws std::invalid_argument unless the cells are a state that the program could be asked about.
    void check_cells(const std::int32_t* cells) const;

private:
    void lay_out_bits(const Ranges& ranges);
    void list_places();
};

} // namespace beeline
