// The spaces of compiled networks.
#include "program/program_space.hpp"
#include "bind/bind_cycle_searches.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <tuple>

namespace nb = nanobind;

namespace beeline {

namespace {

const Word* checked(ProgramSpace& space, const std::vector<Word>& words) {
    if (words.size() != space.words()) {
        throw std::invalid_argument("a state of this program has another number of words");
    }
    space.check_state(words.data());
    return words.data();
}

void bind_local_steps(nb::module_& module, nb::class_<ProgramSpace>& cls) {
    nb::class_<LocalStep>(module, "LocalStep", "A step of one process, and what it writes.")
        .def_ro("action", &LocalStep::action)
        .def_ro("marks", &LocalStep::marks)
        .def_ro("detail", &LocalStep::detail)
        .def_ro("passes_committed", &LocalStep::passes_committed)
        .def_ro("priority", &LocalStep::priority)
        .def_ro("writes", &LocalStep::writes, "Cells with their new values.");
    cls.def(
        "local_steps",
        [](ProgramSpace& space, const std::vector<Word>& words, std::int32_t pid, bool timeout) {
            if (pid < 0 || static_cast<std::size_t>(pid) >= space.processes()) {
                throw std::invalid_argument("there is no process of this number");
            }
            LocalSteps found = space.local_steps(checked(space, words), pid, timeout);
            return std::make_pair(std::move(found.reads), std::move(found.steps));
        },
        nb::arg("words"), nb::arg("pid"), nb::arg("timeout") = false,
        "The cells that the steps of a process depend on, and the steps.");
    cls.def(
        "local_monitor_moves",
        [](ProgramSpace& space, const std::vector<Word>& words, bool timeout) {
            if (space.program().monitor_cell < 0) {
                throw std::invalid_argument("the program has no monitor");
            }
            LocalSteps found = space.local_monitor_moves(checked(space, words), timeout);
            return std::make_pair(std::move(found.reads), std::move(found.steps));
        },
        nb::arg("words"), nb::arg("timeout") = false, "The same of the monitor.");
    cls.def(
        "local_value",
        [](ProgramSpace& space, const std::vector<Word>& words, std::int32_t block) {
            if (block < 0 || static_cast<std::size_t>(block) >= space.program().code.size()) {
                throw std::invalid_argument("there is no such block");
            }
            LocalValue found = space.local_value(checked(space, words), block);
            return std::make_tuple(std::move(found.reads), found.value, found.failed);
        },
        nb::arg("words"), nb::arg("block"),
        "The cells that a block which returns a value depends on, the value, and whether it has none.");
}

} // namespace

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
    bind_local_steps(module, cls);
    bind_searches(cls);
    bind_cycle_searches(module, cls, "PairedProgramSpace");
    using Lassos = LassoSpace<ProgramSpace>;
    nb::class_<Lassos>(module, "LassoProgramSpace", "Runs that go round in the model's own steps, shortest first.")
        .def(nb::init<ProgramSpace&>(), nb::arg("space"), nb::keep_alive<1, 2>())
        .def("breadth_first", &breadth_first<Lassos>, nb::arg("request"))
        .def_prop_ro_static("most_places", [](nb::handle) { return PlaceRelation::kMost; });
}

} // namespace beeline
