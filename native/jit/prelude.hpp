// What all generated code begins with: the structures of jit/interface.hpp in C, and how steps are taken.
#pragma once

#include <string>

namespace beeline {

// Needs the numbers that jit/source.cpp defines.
extern const std::string kStructures;
// Needs the tables of the program and the declarations of functions by location and by edge.
extern const char* const kSteps;

} // namespace beeline
