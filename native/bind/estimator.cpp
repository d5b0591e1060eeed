// Estimates as Python sees them: made by functions of their own, handed to searches, asked about single states by
// tests.
#include "heuristic/estimator.hpp"

#include "bind/register.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>
#include <optional>

namespace nb = nanobind;

namespace beeline {

namespace {

std::optional<std::int32_t> shown(std::int32_t value) {
    return value == kDeadEnd ? std::nullopt : std::optional<std::int32_t>(value);
}

} // namespace

BEELINE_BIND(kTables, module) {
    nb::class_<Estimator>(module, "Estimator", "A distance estimate, bound to one compiled network.")
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
        .def_prop_ro("preferred", &Estimator::preferred, "Actions that begin the abstract way found last.")
        .def_prop_ro("cost", &Estimator::cost, "What one estimate costs, in generated steps.")
        .def_prop_ro("safe", &Estimator::is_safe, "Whether dead ends are proofs.");
}

} // namespace beeline
