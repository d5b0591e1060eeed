// Estimates of zones by heuristics that know of no clocks.
#include "heuristic/clock_estimator.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace nb = nanobind;

namespace beeline {
namespace {

std::shared_ptr<Estimator> clock_estimator(std::shared_ptr<Estimator> inner, std::shared_ptr<const Program> from,
                                           std::shared_ptr<const Program> to, std::size_t clocks,
                                           const std::vector<std::vector<std::int32_t>>& rows,
                                           std::vector<std::int32_t> actions) {
    std::vector<ClockEstimator::Reading> readings;
    for (const std::vector<std::int32_t>& row : rows) {
        if (row.size() < 2 || row[0] < 0 || row[1] < 0) {
            throw std::invalid_argument("a clock's limits begin with its number and its cell");
        }
        readings.push_back({static_cast<std::size_t>(row[0]), static_cast<std::size_t>(row[1]),
                            std::vector<zone::Bound>(row.begin() + 2, row.end())});
    }
    return std::make_shared<ClockEstimator>(std::move(from), std::move(to), clocks, std::move(readings),
                                            std::move(actions), std::move(inner));
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    module.def("clock_estimator", &clock_estimator, nb::arg("inner"), nb::arg("from_program"), nb::arg("to_program"),
               nb::arg("clocks"), nb::arg("rows"), nb::arg("actions"),
               "Asks another estimator about zones, whose clocks become numbers of upper bounds that lie behind them: "
               "rows are a clock, a cell and the bounds.");
}

} // namespace beeline
