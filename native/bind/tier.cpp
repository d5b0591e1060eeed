// Native code for models: what Python needs to have it compiled.
#include "tier/tier.hpp"
#include "bind/register.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kTypes, module) {
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Tier>(module, "Tier", "Native code for the spaces of one search.")
        .def(nb::init<bool>(), nb::arg("insists") = false, "`insists`: the search waits for code that fits.")
        .def("next_source", &Tier::next_source, nb::arg("seconds") = 0.0, Unlocked(),
             "C for the layout that the search uses now, once for each layout; waits for one so many seconds.")
        .def("load", &Tier::load, nb::arg("path"), Unlocked(), "Loads what was compiled from the last source.")
        .def("give_up", &Tier::give_up, Unlocked(), "Lets searches that wait go on without native code.");
}

} // namespace beeline
