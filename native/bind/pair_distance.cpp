// The heuristic of searches for cycles.
#include "abstraction/pair_distance.hpp"

#include "bind/register.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kFunctions, module) {
    module.def(
        "pair_distance",
        [](std::shared_ptr<const Program> program, bool sum, const FactoredTask* factors,
           std::shared_ptr<Estimator> to_acceptance) -> std::shared_ptr<Estimator> {
            return std::make_shared<PairDistance>(std::move(program), sum, factors, std::move(to_acceptance));
        },
        nb::arg("program"), nb::arg("sum"), nb::arg("factors").none() = nb::none(),
        nb::arg("to_acceptance").none() = nb::none(),
        "How far a pair is from closing its cycle, for searches of paired spaces.");
}

} // namespace beeline
