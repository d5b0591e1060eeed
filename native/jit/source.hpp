// A program as one file of C.
#pragma once

#include "vm/program.hpp"

#include <string>

namespace beeline {

std::string native_source(const Program& program);

} // namespace beeline
