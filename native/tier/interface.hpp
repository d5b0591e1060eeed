// What generated code and the engine know of each other. The structures here are written once more, in C, in
// tier/source.cpp; `kInterface` counts their changes.
#pragma once

#include "space/space.hpp"
#include "vm/machine.hpp"

#include <cstddef>
#include <cstdint>

namespace beeline {

inline constexpr std::int32_t kInterface = 1;

// Everything that the steps of one process from one location need, and what they leave to the engine.
struct StepContext {
    std::int32_t* cells;
    const Word* origin;
    std::uint64_t sum; // of the origin's hash
    SuccessorBuffer::Arrays* out;
    std::size_t* arrived;
    std::uint32_t marks; // of arcs that change nothing that the goal reads
    std::int32_t pid;
    void* space;

    // All of these may throw, through the generated code.
    void (*grow)(void* space);
    void (*narrow)(void* space, std::int32_t cell, std::int32_t value);
    void (*fail)(void* space, std::int32_t edge, std::int32_t error);
    int (*guard)(void* space, std::int32_t pid, std::int32_t edge);
    int (*synchronise)(void* space, std::int32_t pid, std::int32_t edge);
};

// What ProgramSpace::steps_of does for one location: whether there was a step.
using StepFunction = int (*)(StepContext* context);

// What a compiled file exports under the name `beeline_code`.
struct CodeTable {
    std::int32_t interface;
    std::int32_t locations, blocks;
    const StepFunction* steps;                     // by location; null where nothing begins
    const std::int32_t* block_positions;           // in the plan's code, ..
    const Machine::BlockFunction* block_functions; // .. and what stands for the block that begins there
};

} // namespace beeline
