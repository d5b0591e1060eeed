// The steps of a program as source text for devices: a pure function over packed words, written for one layout.
//
// src/beeline/gpu/kernels has what is the same for all models: stores, searches, and what CUDA and plain C++ call
// things.
#pragma once

#include "gpu/lookup.hpp"
#include "vm/program.hpp"

#include <string>

namespace beeline {

// Bits of a state as a key: its words without the bits at their upper ends that no cell has.
std::size_t key_bits(const Program& program);

// Why there is no code for a program; empty if there is.
std::string not_for_devices(const Program& program);

// Numbers as macros, which the code of all models reads, and the functions of this one.
struct DeviceSource {
    std::string numbers, steps;
};
// With lookups, the search goes by the heuristic that they make.
DeviceSource device_source(const Program& program, const Lookup* lookup = nullptr);

} // namespace beeline
