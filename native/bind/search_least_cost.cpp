// The search for a violation that costs least, in programs: others have no actions that weights could belong to.
#include "search/least_cost.hpp"

#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "program/program_space.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nb = nanobind;

namespace beeline {
namespace {

Outcome least_cost(ProgramSpace& space, const PythonRequest& request, const BestFirstOptions& order,
                   std::vector<std::uint32_t> weights) {
    if (order.estimators.size() != 1) {
        throw std::invalid_argument("a search for the least cost goes by one heuristic");
    }
    if (std::ranges::find(weights, 0u) != weights.end()) {
        throw std::invalid_argument("no weight is below one");
    }
    return search_unlocked<LeastCost>(space, request, LeastCostOptions{order, {std::move(weights)}});
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    module.def("least_cost", &least_cost, nb::arg("space"), nb::arg("request"), nb::arg("order"), nb::arg("weights"),
               "A* with a weight for each action of a program; heuristic and ties are those of `order`.");
}

} // namespace beeline
