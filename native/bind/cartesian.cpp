// Heuristics by Cartesian abstraction.
#include "abstraction/cartesian.hpp"
#include "bind/allowance.hpp"
#include "bind/named.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace beeline {

namespace {

std::shared_ptr<CartesianEstimator> cartesian_estimator(const FactoredTask& task, std::int32_t states,
                                                        const std::string& choice, std::size_t steps, std::size_t work,
                                                        std::optional<double> seconds) {
    CartesianOptions options;
    options.states = states;
    options.choice = named<SplitChoice>(
        choice, {{"refined", SplitChoice::kRefined}, {"coarse", SplitChoice::kCoarse}, {"first", SplitChoice::kFirst}});
    options.steps = steps;
    options.work = work;
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    return std::make_shared<CartesianEstimator>(
        std::make_shared<CartesianAbstraction>(task, aim_of(task), options, allowance));
}

} // namespace

BEELINE_BIND(kWrappers, module) {
    nb::class_<CartesianEstimator, Estimator>(module, "CartesianEstimator", "A heuristic by Cartesian abstraction.")
        .def_prop_ro(
            "states", [](const CartesianEstimator& one) { return one.abstraction().states(); },
            "How many abstract states there are.")
        .def_prop_ro(
            "bytes", [](const CartesianEstimator& one) { return one.abstraction().bytes(); }, "What the tables take.")
        .def_prop_ro(
            "is_exact", [](const CartesianEstimator& one) { return one.abstraction().is_exact(); },
            "Whether the estimate of the initial state is its distance in the product.")
        .def_prop_ro(
            "is_late", [](const CartesianEstimator& one) { return one.abstraction().is_late(); },
            "Whether the time was up before a limit on size was met.");
    module.def("cartesian_estimator", &cartesian_estimator, nb::arg("task"), nb::arg("states"), nb::arg("choice"),
               nb::arg("steps"), nb::arg("work"), nb::arg("seconds") = nb::none(),
               "Distances in a Cartesian abstraction, refined as far as these limits allow.");
}

} // namespace beeline
