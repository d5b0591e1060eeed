// Grounded tasks and the heuristics that are built on them.
#include "task/task.hpp"
#include "bind/allowance.hpp"
#include "bind/register.hpp"
#include "heuristic/causal_graph.hpp"
#include "heuristic/context_additive.hpp"
#include "heuristic/graph_distance.hpp"
#include "heuristic/landmark_count.hpp"
#include "heuristic/landmark_cut.hpp"
#include "heuristic/relaxed_estimator.hpp"
#include "task/contexts.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {

namespace {

std::shared_ptr<Estimator> relaxed_estimator(std::shared_ptr<const Task> task, const std::string& kind) {
    const std::pair<const char*, RelaxedKind> kinds[] = {
        {"hL", RelaxedKind::kL}, {"hU", RelaxedKind::kU}, {"hADD", RelaxedKind::kAdd}, {"hFF", RelaxedKind::kFF}};
    for (const auto& [name, value] : kinds) {
        if (kind == name) {
            return std::make_shared<RelaxedEstimator>(std::move(task), value);
        }
    }
    throw std::invalid_argument("there is no relaxed heuristic '" + kind + "'");
}

nb::list operator_list(const Task& task) {
    nb::list all;
    for (const Operator& op : task.operators()) {
        all.append(nb::make_tuple(op.conditions, op.effects, op.action, op.second, op.cost));
    }
    return all;
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<Task>(module, "Task", "Facts, operators and goals of a compiled network.")
        .def(
            "__init__",
            [](Task* self, std::shared_ptr<const Program> program, bool with_errors, std::int32_t values,
               std::int32_t branches, std::int32_t operators, std::int64_t work, std::optional<double> seconds,
               std::optional<std::size_t> memory, bool apart) {
                Allowance allowance = allowance_of(seconds, memory);
                const nb::gil_scoped_release unlocked;
                new (self) Task(std::move(program), with_errors,
                                {values, branches, operators, work, TaskLimits{}.goals, apart}, allowance);
            },
            nb::arg("program"), nb::arg("with_errors"), nb::arg("values") = TaskLimits{}.values,
            nb::arg("branches") = TaskLimits{}.branches, nb::arg("operators") = TaskLimits{}.operators,
            nb::arg("work") = TaskLimits{}.work, nb::arg("seconds") = nb::none(), nb::arg("memory") = nb::none(),
            nb::arg("apart") = TaskLimits{}.apart)
        .def_prop_ro("complete", &Task::is_complete)
        .def_prop_ro("late", &Task::is_late)
        .def_prop_ro("exact", &Task::is_exact)
        .def_prop_ro("apart", &Task::is_apart)
        .def_prop_ro("facts",
                     [](const Task& task) {
                         nb::list all;
                         for (std::int32_t i = 0; i < task.facts(); ++i) {
                             all.append(nb::make_tuple(task.fact_cell(i), task.fact_value(i)));
                         }
                         return all;
                     })
        .def_prop_ro("operators", &operator_list, "Tuples (conditions, effects, action, second, cost).")
        .def_prop_ro("failure_count", &Task::failures)
        .def("without_failures", &Task::without_failures)
        .def_prop_ro("goal_count", [](const Task& task) { return task.goals().size(); })
        .def_prop_ro("goals", [](const Task& task) {
            nb::list all;
            for (const Goal& goal : task.goals()) {
                all.append(nb::make_tuple(goal.conditions, goal.cost));
            }
            return all;
        });
    nb::class_<Contexts>(module, "Contexts", "How far the steps of a task are from one another, or from its goal.")
        .def(
            "__init__",
            [](Contexts* self, std::shared_ptr<const Task> task, std::uint32_t levels, bool of_goal) {
                if (levels == 0 || levels > 255) {
                    throw std::invalid_argument("contexts have 1 to 255 levels");
                }
                new (self) Contexts(std::move(task), levels, of_goal);
            },
            nb::arg("task"), nb::arg("levels"), nb::arg("of_goal"))
        .def(
            "level",
            [](Contexts& self, std::uint32_t last, std::uint32_t action, std::uint32_t second) {
                return self.level(last, {action, second});
            },
            nb::arg("last"), nb::arg("action"), nb::arg("second") = 0,
            "The level of a step after one that the edge `last` began.");
    module.def("relaxed_estimator", &relaxed_estimator, nb::arg("task"), nb::arg("kind"),
               "hL, hU, hADD or hFF on a task.");
    module.def(
        "causal_graph_estimator",
        [](std::shared_ptr<const Task> task) -> std::shared_ptr<Estimator> {
            return std::make_shared<CausalGraphEstimator>(std::move(task));
        },
        nb::arg("task"), "hCG.");
    module.def(
        "landmark_cut_estimator",
        [](std::shared_ptr<const Task> task) -> std::shared_ptr<Estimator> {
            return std::make_shared<LandmarkCut>(std::move(task));
        },
        nb::arg("task"), "lmcut.");
    module.def(
        "landmark_count_estimator",
        [](std::shared_ptr<const Task> task) -> std::shared_ptr<Estimator> {
            return std::make_shared<LandmarkCount>(std::move(task));
        },
        nb::arg("task"), "landmarks.");
    module.def(
        "context_additive_estimator",
        [](std::shared_ptr<const Task> task) -> std::shared_ptr<Estimator> {
            return std::make_shared<ContextAdditiveEstimator>(std::move(task));
        },
        nb::arg("task"), "hCEA.");
    module.def(
        "graph_distance",
        [](std::shared_ptr<const Task> task, bool sum) -> std::shared_ptr<Estimator> {
            return std::make_shared<GraphDistance>(std::move(task), sum);
        },
        nb::arg("task"), nb::arg("sum"), "dL, or dU with `sum`.");
}

} // namespace beeline
