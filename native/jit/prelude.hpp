// What all generated code begins with: the structures of tier/interface.hpp in C, and how steps are taken.
#pragma once

namespace beeline {

// Needs the numbers that tier/source.cpp defines.
extern const char* const kStructures;
// Needs the tables of the program and the declarations of functions by location and by edge.
extern const char* const kSteps;

} // namespace beeline
