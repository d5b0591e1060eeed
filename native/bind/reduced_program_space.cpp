// The spaces of compiled networks with reductions.
#include "program/reduced_program_space.hpp"
#include "bind/bind_cycle_searches.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kWrappers, module) {
    nb::class_<ReducedProgramSpace> cls(module, "ReducedProgramSpace",
                                        "The state space of a compiled network, reduced.");
    cls.def(
           "__init__",
           [](ReducedProgramSpace* self, std::shared_ptr<ProgramSpace> space, std::shared_ptr<Reducer> reducer,
              std::shared_ptr<Canonicaliser> symmetry) {
               new (self) ReducedProgramSpace(reduced(std::move(space), std::move(reducer), std::move(symmetry)));
           },
           nb::arg("space"), nb::arg("reducer").none() = nb::none(), nb::arg("symmetry").none() = nb::none(),
           "`reducer` leaves out steps in searches (successor_arcs still shows all); with `symmetry`, states are "
           "representatives.")
        .def_prop_ro(
            "inner", [](ReducedProgramSpace& space) -> ProgramSpace& { return space.inner().inner(); },
            "The space that is reduced.")
        .def_prop_ro("reduces_by_visited", &ReducedProgramSpace::reduces_by_visited,
                     "Whether what is left out depends on which states were seen.");
    bind_searches(cls);
    bind_cycle_searches(module, cls, "PairedReducedProgramSpace");
}

} // namespace beeline
