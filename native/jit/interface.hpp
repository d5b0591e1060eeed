// What generated code and the engine know of each other. The structures here are written once more, in C, in
// jit/prelude.cpp, which proves that both are the same; `kInterface` counts their changes.
#pragma once

#include "space/space.hpp"
#include "vm/machine.hpp"

#include <cstddef>
#include <cstdint>

namespace beeline {

inline constexpr std::int32_t kInterface = 4;

// An expansion under way, and what generated code leaves to the engine. A step begins in the state `base`, whose values
// the cells have; it is written straight into the words of its target, or taken in the cells, logged and taken back.
struct StepContext {
    std::int32_t* cells;
    const Word* base;
    std::uint64_t sum; // of the base's hash
    SuccessorBuffer::Arrays* out;
    std::size_t* arrived;
    ChangeLog::Arrays* log;
    std::size_t log_mark; // the log's size at the base
    const Packing* places;
    const std::uint64_t* keys;
    Word* spare; // states in the middle of runs, by depth
    std::size_t spare_stride;
    std::uint32_t words;
    std::uint32_t marks; // of arcs that change nothing that the goal reads
    std::int32_t pid;
    std::int32_t in_place;    // whether runs can be followed here
    std::int32_t inside;      // a run, ..
    std::uint32_t run_action; // .. which began with this
    std::int32_t depth;
    std::int32_t error;          // why something failed
    std::int32_t value;          // what a block returned
    std::int32_t keeps;          // whether the last edge of a straight run keeps control
    std::int32_t number, fields; // a message that is offered, ..
    const std::int32_t* message;
    std::int32_t* found; // .. and the edges that take it
    void* space;

    // All of these may throw, through the generated code.
    void (*grow)(void* space);
    void (*grow_log)(void* space);
    void (*narrow)(void* space, std::int32_t cell, std::int32_t value);
    void (*fail)(void* space, std::uint32_t action, std::int32_t error);
    int (*run)(void* space, StepContext* context, std::int32_t block);
    int (*synchronise)(void* space, std::int32_t pid, std::int32_t edge);
    // In the middle of a run: a number for the state, or -1 if it was met before.
    std::int32_t (*hold)(void* space, const Word* state, std::uint64_t sum);
    void (*pass)(void* space, std::int32_t held, std::size_t ways); // so many lead on from there; 0 takes it back
    void (*leave)(void* space);                                     // has the engine expand the state
};

// Runs that go on in place nest; longer ones are held back now and then.
inline constexpr std::int32_t kMostNested = 500;

// What a compiled file exports under the name `beeline_code`.
struct CodeTable {
    std::int32_t interface;
    std::int32_t locations;
    void (*expand)(StepContext* context); // what ProgramSpace::steps_in_order does
};

} // namespace beeline
