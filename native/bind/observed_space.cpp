// Compiled networks watched by automata that read propositions, and the searches for violations there.
#include "program/observed_space.hpp"
#include "bind/bind_cycle_searches.hpp"
#include "bind/register.hpp"
#include "search/testing_search.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <stdexcept>
#include <string>
#include <tuple>

namespace nb = nanobind;

namespace beeline {
namespace {

Reads reads_named(const std::string& name) {
    if (name == "before") {
        return Reads::kBefore;
    }
    if (name == "after") {
        return Reads::kAfter;
    }
    if (name == "change") {
        return Reads::kChange;
    }
    throw std::invalid_argument("an automaton reads before, after or change");
}

using Move = std::tuple<std::int32_t, Word, Word, std::uint32_t>;

ObserverAutomaton automaton_of(const std::string& reads, std::size_t propositions, const std::vector<Move>& moves,
                               std::vector<std::uint8_t> accepting, std::vector<std::uint8_t> livelock,
                               std::size_t sets) {
    std::vector<ObserverAutomaton::Row> rows;
    for (const auto& [state, letter, target, sets] : moves) {
        rows.push_back({state, letter, {target, sets}});
    }
    return {reads_named(reads), propositions, rows, std::move(accepting), std::move(livelock), sets};
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::exception<NoValue>(module, "NoValue");
    nb::class_<ObserverAutomaton>(module, "ObserverAutomaton", "An automaton that reads valuations of propositions.")
        .def(
            "__init__",
            [](ObserverAutomaton* self, const std::string& reads, std::size_t propositions,
               const std::vector<Move>& moves, std::vector<std::uint8_t> accepting, std::vector<std::uint8_t> livelock,
               std::size_t sets) {
                new (self) ObserverAutomaton(
                    automaton_of(reads, propositions, moves, std::move(accepting), std::move(livelock), sets));
            },
            nb::arg("reads"), nb::arg("propositions"), nb::arg("moves"), nb::arg("accepting"), nb::arg("livelock"),
            nb::arg("sets") = 0,
            "Moves are (state, letter, target, sets); those of state -1 begin a run whose first valuation is the "
            "letter.");
    nb::class_<ObservedSpace> cls(module, "ObservedSpace", "A compiled network watched by such an automaton.");
    cls.def(
           "__init__",
           [](ObservedSpace* self, ProgramSpace& space, std::shared_ptr<const Program> values,
              std::vector<std::int32_t> blocks, const ObserverAutomaton& automaton) {
               new (self) ObservedSpace(space, Propositions(std::move(values), std::move(blocks)), automaton);
           },
           nb::arg("space"), nb::arg("values"), nb::arg("blocks"), nb::arg("automaton"), nb::keep_alive<1, 2>())
        .def_prop_ro("words", &ObservedSpace::words, "Words of a packed state.")
        .def("initial_arcs", &initial_arcs<ObservedSpace>,
             nb::sig("def initial_arcs(self) -> list[tuple[int, int, int, tuple[int, ...] | None]]"))
        .def("successor_arcs", &successor_arcs<ObservedSpace>, nb::arg("state"),
             nb::sig("def successor_arcs(self, state: collections.abc.Sequence[int]) -> "
                     "tuple[int, list[tuple[int, int, int, tuple[int, ...] | None]]]"))
        .def("breadth_first", &breadth_first<ObservedSpace>, nb::arg("request"))
        .def("nested_depth_first", &nested_depth_first<ObservedSpace>, nb::arg("request"), nb::arg("weak") = false)
        .def("component_search", &component_search<ObservedSpace>, nb::arg("request"), nb::arg("fairness") = "none")
        .def(
            "testing_search",
            [](ObservedSpace& space, const PythonRequest& request, bool second_pass) {
                return search_unlocked<TestingSearch>(space, request, TestingOptions{second_pass});
            },
            nb::arg("request"), nb::arg("second_pass") = true);
}

} // namespace beeline
