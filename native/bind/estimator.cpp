// Estimators as Python sees them: made by functions of their own, handed to searches, asked about single states by
// tests.
#include "heuristic/estimator.hpp"

#include "bind/register.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>
#include <optional>

namespace nb = nanobind;

namespace beeline {

namespace {

std::optional<std::int32_t> shown(std::int32_t value) {
    return value == kDeadEnd ? std::nullopt : std::optional<std::int32_t>(value);
}

std::vector<std::optional<std::int32_t>> shown(const std::vector<std::int32_t>& values) {
    std::vector<std::optional<std::int32_t>> all;
    for (const std::int32_t value : values) {
        all.push_back(shown(value));
    }
    return all;
}

} // namespace

BEELINE_BIND(kTables, module) {
    nb::class_<Estimator>(module, "Estimator", "A heuristic, bound to one compiled network.")
        .def(
            "estimate",
            [](Estimator& self, const std::vector<Word>& state) { return shown(self.estimate(state.data())); },
            nb::arg("state"), "Steps still missing from a packed state; None for a dead end.")
        .def(
            "estimate_without",
            [](Estimator& self, const std::vector<Word>& state, std::uint32_t action, std::uint32_t detail) {
                return shown(self.estimate_without(state.data(), action, detail));
            },
            nb::arg("state"), nb::arg("action"), nb::arg("detail") = 0,
            "The same if the edges behind an arc did not exist.")
        .def(
            "estimate_all",
            [](Estimator& self, const std::vector<std::vector<Word>>& states) {
                std::vector<const Word*> asked;
                for (const auto& state : states) {
                    asked.push_back(state.data());
                }
                std::vector<std::int32_t> values;
                self.estimate_all(asked, values);
                return shown(values);
            },
            nb::arg("states"), "What `estimate` says of each state, found together.")
        .def(
            "estimate_without_each",
            [](Estimator& self, const std::vector<Word>& state, const Estimator::Steps& arcs) {
                std::vector<std::int32_t> values;
                self.estimate_without_each(state.data(), arcs, values);
                return shown(values);
            },
            nb::arg("state"), nb::arg("arcs"),
            "What `estimate_without` says for each arc (action and detail), found together.")
        .def_prop_ro("preferred", &Estimator::preferred, "Actions that begin the abstract way found last.")
        .def_prop_ro("cost", &Estimator::cost, "What one estimate costs, in generated steps.")
        .def_prop_ro("safe", &Estimator::is_safe, "Whether dead ends are proofs.");
}

} // namespace beeline
