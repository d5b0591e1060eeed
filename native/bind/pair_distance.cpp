// The estimate of searches for cycles.
#include "heuristic/pair_distance.hpp"

#include "bind/register.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {

BEELINE_BIND(kFunctions, module) {
    module.def(
        "pair_distance",
        [](std::shared_ptr<const Program> program, bool sum) -> std::shared_ptr<Estimator> {
            return std::make_shared<PairDistance>(std::move(program), sum);
        },
        nb::arg("program"), nb::arg("sum"), "How far a pair is from closing its cycle, for searches of paired spaces.");
}

} // namespace beeline
