// Heuristics by abstraction: hAA and pattern databases.
#include "abstraction/abstraction_estimator.hpp"
#include "abstraction/patterns.hpp"
#include "bind/allowance.hpp"
#include "bind/named.hpp"
#include "bind/register.hpp"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {

namespace {

std::shared_ptr<AbstractionEstimator> abstraction_estimator(const FactoredTask& task, std::int32_t states,
                                                            const std::string& order, const std::string& shrink,
                                                            bool reduce, std::size_t work, std::size_t entries,
                                                            std::optional<double> seconds) {
    AbstractionOptions options;
    options.states = states;
    options.order = order_named(order);
    options.shrink = shrink_named(shrink);
    options.reduce = reduce;
    options.work = work;
    options.entries = entries;
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    std::vector<Abstraction> one;
    one.emplace_back(task, options, allowance);
    return std::make_shared<AbstractionEstimator>(std::move(one), std::vector<std::vector<std::size_t>>{{0}});
}

std::shared_ptr<AbstractionEstimator> pattern_estimator(const FactoredTask& task, std::vector<Pattern> patterns,
                                                        std::size_t work, std::size_t entries,
                                                        std::optional<double> seconds) {
    Allowance allowance = allowance_of(seconds);
    const PatternOptions options{work, entries / std::max<std::size_t>(1, patterns.size())};
    const nb::gil_scoped_release unlocked;
    std::vector<Abstraction> databases;
    for (const Pattern& pattern : patterns) {
        for (const std::int32_t factor : pattern) {
            if (factor < 0 || static_cast<std::size_t>(factor) >= task.factors().size()) {
                throw std::invalid_argument("there is no such factor");
            }
        }
        databases.push_back(pattern_database(task, pattern, options, allowance));
    }
    return std::make_shared<AbstractionEstimator>(std::move(databases), additive_sets(task, patterns));
}

std::vector<Pattern> patterns_by(const FactoredTask& task, const std::string& choice, std::int64_t size,
                                 std::size_t work, std::size_t entries, std::optional<double> seconds) {
    const auto how = named<PatternChoice>(choice, {{"causal", PatternChoice::kCausal},
                                                   {"cegar", PatternChoice::kCounterexample},
                                                   {"doll", PatternChoice::kRussianDoll}});
    Allowance allowance = allowance_of(seconds);
    const nb::gil_scoped_release unlocked;
    return choose_patterns(task, how, size, {work, entries}, allowance);
}

nb::list report(const AbstractionEstimator& estimator) {
    nb::list all;
    for (const Abstraction& one : estimator.abstractions()) {
        nb::dict entry;
        entry["factors"] = one.factors();
        entry["composed"] = one.composed();
        entry["bound"] = one.bound();
        entry["largest"] = one.largest();
        entry["bytes"] = one.bytes();
        entry["cut"] = one.is_cut();
        entry["late"] = one.is_late();
        all.append(entry);
    }
    return all;
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<FactoredTask>(module, "FactoredTask", "A grounded task as a product of small transition systems.")
        .def(
            "__init__",
            [](FactoredTask* self, std::shared_ptr<const Task> task, bool whole) {
                Allowance allowance = allowance_of();
                const nb::gil_scoped_release unlocked;
                new (self) FactoredTask(std::move(task), allowance, whole);
            },
            nb::arg("task"), nb::arg("whole") = false,
            "With `whole`, also of cells that play no part on a way to the goal.")
        .def_prop_ro(
            "cells",
            [](const FactoredTask& task) {
                std::vector<std::int32_t> cells;
                for (const Factor& factor : task.factors()) {
                    cells.push_back(factor.cell);
                }
                return cells;
            },
            "The cell of each factor; -1 for the one that says whether the goal was reached.")
        .def_prop_ro(
            "sizes",
            [](const FactoredTask& task) {
                std::vector<std::size_t> sizes;
                for (const Factor& factor : task.factors()) {
                    sizes.push_back(factor.values.size());
                }
                return sizes;
            },
            "States of each factor.")
        .def_prop_ro("labels", [](const FactoredTask& task) { return task.labels().size(); });
    nb::class_<AbstractionEstimator, Estimator>(module, "AbstractionEstimator", "A heuristic by abstraction.")
        .def_prop_ro("report", &report, "What was built, one entry for each abstraction.");
    module.def("abstraction_estimator", &abstraction_estimator, nb::arg("task"), nb::arg("states"), nb::arg("order"),
               nb::arg("shrink"), nb::arg("reduce"), nb::arg("work"), nb::arg("entries"),
               nb::arg("seconds") = nb::none(),
               "hAA, built with so many moves and entries of tables, at most for so long.");
    module.def("choose_patterns", &patterns_by, nb::arg("task"), nb::arg("choice"), nb::arg("size"), nb::arg("work"),
               nb::arg("entries"), nb::arg("seconds") = nb::none(), "Patterns, each a list of factors.");
    module.def("pattern_estimator", &pattern_estimator, nb::arg("task"), nb::arg("patterns"), nb::arg("work"),
               nb::arg("entries"), nb::arg("seconds") = nb::none(), "The largest sum of pattern databases.");
}

} // namespace beeline
