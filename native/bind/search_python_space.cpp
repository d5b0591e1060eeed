// Spaces that users write as Python classes.
#include "bind/bind_cycle_searches.hpp"
#include "bind/register.hpp"
#include "space/python_space.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace beeline {

namespace {

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? nb::inst_ptr<PythonSpace>(self)->visit_objects(visit, arg) : 0;
}

int clear(PyObject* self) {
    nb::inst_ptr<PythonSpace>(self)->drop_objects();
    return 0;
}

PyType_Slot collector_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<PythonSpace> cls(module, "PythonSpace",
                                "Makes a user's object with initial() and successors(state) searchable.",
                                nb::type_slots(collector_slots));
    cls.def(nb::init<nb::object, bool>(), nb::arg("model"), nb::arg("deadlocks") = false)
        .def("state", &PythonSpace::state, nb::arg("number"), "The user's state with this number.")
        .def("label", &PythonSpace::label, nb::arg("action"), "The label of a step, None if it had none.")
        .def("reason", &PythonSpace::reason, nb::arg("number"), "The text that violates() returned, or None.")
        .def("estimate", &PythonSpace::estimate, nb::arg("number"), "What estimate() says, None for a dead end.")
        .def("way_to_asked", &PythonSpace::way_to_asked,
             "(action, state number) pairs to the state that the model was last asked about.")
        .def_prop_ro("has_estimate", &PythonSpace::has_estimate)
        .def_prop_ro("estimate_promises", &PythonSpace::estimate_promises);
    bind_searches(cls);
    bind_cycle_searches(module, cls, "PairedPythonSpace");
}

} // namespace beeline
