// Native code for models: what Python needs to have it compiled.
#include "jit/tier.hpp"
#include "bind/register.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kTables, module) {
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Tier>(module, "Tier", "Native code for spaces of one program.")
        .def(nb::init<std::shared_ptr<const Program>>(), nb::arg("program"))
        .def("source", &Tier::source, Unlocked(), "C for the program.")
        .def("load", &Tier::load, nb::arg("path"), Unlocked(), "Loads what was compiled from the source.");
}

} // namespace beeline
