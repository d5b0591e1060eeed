// Heuristics that need no task: combinations, formulas over a state, and those of users.
#include "bind/register.hpp"
#include "heuristic/active.hpp"
#include "heuristic/combination.hpp"
#include "heuristic/diagram.hpp"
#include "heuristic/formula.hpp"
#include "heuristic/python_estimator.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {
namespace {

using Shared = std::shared_ptr<Estimator>;

Shared combined(const std::string& how, std::vector<Shared> parts, std::vector<std::uint32_t> weights) {
    Join join = Join::kSum;
    if (how == "max" || how == "min") {
        join = how == "max" ? Join::kMaximum : Join::kMinimum;
    } else if (how != "sum") {
        throw std::invalid_argument("heuristics are combined by max, min or sum");
    }
    return std::make_shared<CombinedEstimator>(join, std::move(parts), std::move(weights));
}

Shared user_estimator(nb::object space, bool safe) {
    auto& native = nb::cast<PythonSpace&>(space);
    if (!native.has_estimate()) {
        throw std::invalid_argument("this space has no estimate()");
    }
    return std::make_shared<PythonEstimator>(std::move(space), native, safe);
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    module.def("blind_estimator", []() -> Shared { return std::make_shared<BlindEstimator>(); }, "0 everywhere.");
    module.def("combined_estimator", &combined, nb::arg("how"), nb::arg("parts"), nb::arg("weights"),
               "The max, min or sum of weighted estimates.");
    module.def(
        "cached_estimator",
        [](Shared estimator, std::size_t words, std::size_t entries) -> Shared {
            return std::make_shared<CachedEstimator>(std::move(estimator), words, entries);
        },
        nb::arg("estimator"), nb::arg("words"), nb::arg("entries"), "A heuristic with a table of what it said before.");
    module.def(
        "formula_estimator",
        [](std::shared_ptr<const Program> program, const std::vector<std::vector<std::int32_t>>& nodes,
           std::vector<std::vector<std::int32_t>> distances, bool safe) -> Shared {
            return std::make_shared<FormulaEstimator>(std::move(program), nodes, std::move(distances), safe);
        },
        nb::arg("program"), nb::arg("nodes"), nb::arg("distances"), nb::arg("safe"),
        "A formula over the state; see beeline.heuristics.formula.");
    module.def(
        "diagram_estimator",
        [](std::shared_ptr<const Program> program, std::vector<DiagramEstimator::Row> rows,
           std::vector<std::int32_t> widths, std::int32_t root) -> Shared {
            return std::make_shared<DiagramEstimator>(std::move(program), std::move(rows), std::move(widths), root);
        },
        nb::arg("program"), nb::arg("rows"), nb::arg("widths"), nb::arg("root"),
        "A decision diagram over the bits of cells; see beeline.symbolic.table.");
    module.def(
        "active_estimator",
        [](std::shared_ptr<const Program> program) -> Shared {
            return std::make_shared<ActiveEstimator>(std::move(program));
        },
        nb::arg("program"), "The number of processes that can begin a step.");
    module.def("user_estimator", &user_estimator, nb::arg("space"), nb::arg("safe"),
               "What a Python space's own estimate() says.");
}

} // namespace beeline
