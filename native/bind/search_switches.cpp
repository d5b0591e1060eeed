// The search for the fewest process switches, in programs: others do not tell who takes a step.
#include "search/fewest_switches.hpp"

#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "program/program_space.hpp"

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kFunctions, module) {
    module.def("fewest_switches", &search_unlocked<FewestSwitches, ProgramSpace>, nb::arg("space"), nb::arg("request"),
               "A violation to which no way has fewer steps of one process right after a step of another.");
}

} // namespace beeline
