// The spaces of compiled networks.
#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "space/program_space.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kSpaces, module) {
    static nb::object out_of_room = nb::module_::import_("builtins").attr("type")(
        "OutOfRoom", nb::make_tuple(nb::handle(PyExc_Exception)), nb::dict());
    module.attr("OutOfRoom") = out_of_room;
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const OutOfRoom&) {
            PyErr_SetString(out_of_room.ptr(), "more processes were started than there is room for");
        }
    });
    nb::class_<ProgramSpace> cls(module, "ProgramSpace", "The state space of a compiled network.");
    cls.def(nb::init<std::shared_ptr<const Program>, bool>(), nb::arg("program"), nb::arg("merged") = false);
    bind_searches(cls);
}

} // namespace beeline
