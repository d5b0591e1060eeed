// What building tables may take, as Python says it.
#pragma once

#include "task/allowance.hpp"

#include <nanobind/eval.h>
#include <nanobind/nanobind.h>
#include <optional>

namespace beeline {

// Now and then some Python is run, which has signals seen, and the limits of the work that this is a part of. To be
// made and destroyed with the interpreter lock, and used without.
inline Allowance allowance_of(std::optional<double> seconds = {}, std::optional<std::size_t> memory = {}) {
    namespace nb = nanobind;
    return Allowance(seconds.value_or(-1), memory.value_or(Allowance::kAnyMemory),
                     [breathe = nb::eval("lambda: None", nb::dict())] {
                         const nb::gil_scoped_acquire lock;
                         if (PyErr_CheckSignals() != 0) {
                             throw nb::python_error();
                         }
                         breathe();
                     });
}

} // namespace beeline
