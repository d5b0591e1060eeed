// Tables that Python made, as the engine takes them.
#pragma once

#include "vm/program.hpp"

#include <nanobind/nanobind.h>

namespace beeline {

// A number, a list of numbers or a list of such lists; an empty list is both of the latter.
Tables read_tables(const nanobind::dict& given);

} // namespace beeline
