// The spaces of compiled networks.
#include "program/program_space.hpp"
#include "bind/bind_cycle_searches.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kSpaces, module) {
    nb::exception<TooManyProcesses>(module, "TooManyProcesses");
    nb::class_<ProgramSpace> cls(module, "ProgramSpace", "The state space of a compiled network.");
    cls.def(nb::init<std::shared_ptr<const Program>, bool, std::size_t>(), nb::arg("program"),
            nb::arg("merged") = false, nb::arg("sample") = ProgramSpace::kUsualSample,
            "`sample`: after so many states, breadth-first search packs states to the bits that they need.");
    cls.def("set_tier", &ProgramSpace::set_tier, nb::arg("tier").none(), nb::call_guard<nb::gil_scoped_release>(),
            "Has native code used, where there is some.");
    cls.def("remember", &ProgramSpace::remember, nb::arg("steps"),
            "Whether steps that were found before need not be found again [yes]; they are the same either way.");
    cls.def_prop_ro("program", &ProgramSpace::full_program);
    cls.def_prop_ro("is_native", &ProgramSpace::is_native, "Whether native code is in use now.");
    cls.def("set_reducer", &ProgramSpace::set_reducer, nb::arg("reducer").none(),
            "Leaves out steps in searches from now on; successor_arcs still shows all.");
    bind_searches(cls);
    bind_cycle_searches(module, cls, "PairedProgramSpace");
}

} // namespace beeline
