// Partial-order reduction.
#include "por/reducer.hpp"
#include "bind/read_tables.hpp"
#include "bind/register.hpp"

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kTables, module) {
    nb::class_<Reducer>(module, "Reducer", "Leaves out steps of a program's states.")
        .def(
            "__init__",
            [](Reducer* self, const Program& program, const nb::dict& tables) {
                new (self) Reducer(program, read_tables(tables));
            },
            nb::arg("program"), nb::arg("tables"))
        .def_prop_ro("asked", &Reducer::asked, "How many states it was asked about.")
        .def_prop_ro("reduced", &Reducer::reduced, "How many of them lost steps.");
}

} // namespace beeline
