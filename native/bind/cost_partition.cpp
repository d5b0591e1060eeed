// Saturated cost partitioning over abstractions of several kinds.
#include "abstraction/partition_estimator.hpp"
#include "abstraction/patterns.hpp"
#include "abstraction/subtasks.hpp"
#include "bind/allowance.hpp"
#include "bind/named.hpp"
#include "bind/register.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace beeline {

namespace {

void add_composed(PartitionParts& parts, std::int32_t states, const std::string& order, const std::string& shrink,
                  std::size_t work, std::size_t entries, std::optional<double> seconds) {
    AbstractionOptions options;
    options.states = states;
    options.order = order_named(order);
    options.shrink = shrink_named(shrink);
    options.work = work;
    options.entries = entries;
    options.labelled = true;
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    parts.add(Abstraction(parts.task(), options, allowance));
}

// Databases share the work evenly; one that is cut is of use all the same.
void add_patterns(PartitionParts& parts, const std::vector<Pattern>& patterns, std::size_t work, std::size_t entries,
                  std::optional<double> seconds) {
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    for (const Pattern& pattern : patterns) {
        parts.add(pattern_database(parts.task(), pattern, {work / patterns.size(), entries / patterns.size(), true},
                                   allowance));
        if (allowance.is_over()) {
            return;
        }
    }
}

// All aims share the limits; what one does not use is left for those that follow. Returns how many there were.
std::size_t add_cartesian(PartitionParts& parts, const std::string& aims, std::int32_t states, std::size_t steps,
                          std::size_t work, std::optional<double> seconds) {
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    const std::vector<CartesianAim> all = aims == "goals"       ? goal_aims(parts.task())
                                          : aims == "landmarks" ? landmark_aims(parts.task(), allowance)
                                                                : std::vector<CartesianAim>{aim_of(parts.task())};
    for (std::size_t i = 0; i < all.size() && !allowance.is_over(); ++i) {
        const std::size_t left = all.size() - i;
        CartesianOptions options;
        options.states = std::max(2, states / static_cast<std::int32_t>(left));
        options.steps = steps / left;
        options.work = work / left;
        options.labelled = true;
        CartesianAbstraction made(parts.task(), all[i], options, allowance);
        states -= std::min(states, made.states());
        steps -= std::min(steps, made.steps());
        work -= std::min(work, made.work());
        parts.add(std::move(made));
    }
    return all.size();
}

std::shared_ptr<PartitionEstimator> partition_estimator(PartitionParts& parts, bool general, bool online,
                                                        std::size_t orders, std::size_t samples, std::size_t swaps,
                                                        std::uint64_t seed, std::size_t work, std::size_t entries,
                                                        std::optional<double> seconds) {
    OrderOptions options;
    options.orders = orders;
    options.samples = samples;
    options.swaps = swaps;
    options.seed = seed;
    options.work = work;
    options.entries = entries;
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    return std::make_shared<PartitionEstimator>(
        std::move(parts), general ? Saturation::kGeneral : Saturation::kNonNegative, options, online, allowance);
}

} // namespace

BEELINE_BIND(kWrappers, module) {
    nb::class_<PartitionParts>(module, "PartitionParts", "Abstractions that are to share costs.")
        .def(nb::init<std::shared_ptr<const FactoredTask>>(), nb::arg("task"))
        .def_prop_ro("size", &PartitionParts::size, "How many systems there are.")
        .def("add_composed", &add_composed, nb::arg("states"), nb::arg("order"), nb::arg("shrink"), nb::arg("work"),
             nb::arg("entries"), nb::arg("seconds") = nb::none(), "What hAA composes.")
        .def("add_patterns", &add_patterns, nb::arg("patterns"), nb::arg("work"), nb::arg("entries"),
             nb::arg("seconds") = nb::none(), "Pattern databases.")
        .def("add_cartesian", &add_cartesian, nb::arg("aims"), nb::arg("states"), nb::arg("steps"), nb::arg("work"),
             nb::arg("seconds") = nb::none(),
             "Cartesian abstractions for the whole goal, each of its parts (`goals`), or each of its landmarks.");
    nb::class_<PartitionEstimator, Estimator>(module, "PartitionEstimator", "A heuristic by shared costs.")
        .def_prop_ro("systems", &PartitionEstimator::systems, "How many abstractions share costs.")
        .def_prop_ro("states", &PartitionEstimator::states, "How many states these have in all.")
        .def_prop_ro("orders", &PartitionEstimator::orders, "How many orders are kept.")
        .def_prop_ro("bytes", &PartitionEstimator::bytes, "What the tables take.");
    module.def("small_patterns", &small_patterns, nb::arg("task"), nb::arg("size"), nb::arg("most"),
               "What the goal asks for one at a time, alone and with each factor that decides about its changes.");
    module.def("partition_estimator", &partition_estimator, nb::arg("parts"), nb::arg("general"), nb::arg("online"),
               nb::arg("orders"), nb::arg("samples"), nb::arg("swaps"), nb::arg("seed"), nb::arg("work"),
               nb::arg("entries"), nb::arg("seconds") = nb::none(),
               "The largest sum over orders; the parts are used up.");
}

} // namespace beeline
