// Boolean equation systems: those of tables, and those of a formula and a network.
#include "bind/bind_searches.hpp"
#include "bind/read_equations.hpp"
#include "bind/register.hpp"
#include "equations/solver.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <unordered_map>

namespace nb = nanobind;

namespace beeline {

namespace {

// The variables that a diagnostic consists of: each with its value and the positions of its reasons.
template <class G>
struct Diagnostic {
    std::vector<Variable> variables;
    std::vector<std::vector<std::uint32_t>> reasons;

    // False if there are more variables than wanted.
    bool collect(EquationSolver<G>& solver, Variable root, std::size_t most) {
        std::unordered_map<Variable, std::uint32_t> positions{{root, 0}};
        variables.push_back(root);
        for (std::size_t next = 0; next < variables.size(); ++next) {
            reasons.emplace_back();
            for (const Variable reason : solver.reasons(variables[next])) {
                const auto [place, is_new] =
                    positions.try_emplace(reason, static_cast<std::uint32_t>(variables.size()));
                if (is_new) {
                    variables.push_back(reason);
                }
                reasons[next].push_back(place->second);
            }
            if (variables.size() > most) {
                return false;
            }
        }
        return true;
    }
};

using ExplainedRow = std::tuple<Variable, bool, std::vector<std::uint32_t>>;

std::tuple<bool, std::vector<ExplainedRow>, std::uint64_t> solve_table(const std::vector<TableRow>& rows,
                                                                       const std::vector<std::string>& kinds,
                                                                       Variable root, const std::string& order,
                                                                       std::optional<std::uint64_t> seed) {
    TableGraph graph(equations_of(rows), kinds_of(kinds));
    if (root >= graph.size()) {
        throw std::invalid_argument("there is no such variable");
    }
    MemoryAccount account;
    EquationSolver<TableGraph> solver(graph, account, options_of(order, seed));
    solver.solve(root, [] { return Status::kRunning; });
    Diagnostic<TableGraph> found;
    found.collect(solver, root, graph.size());
    std::vector<ExplainedRow> explained;
    for (std::size_t i = 0; i < found.variables.size(); ++i) {
        explained.emplace_back(found.variables[i], solver.value(found.variables[i]), found.reasons[i]);
    }
    return {solver.value(root), std::move(explained), solver.counts().expanded};
}

// A formula, a network, and all that is known of their equations.
class ModalSolver {
public:
    ModalSolver(ProgramSpace& space, Propositions propositions, const std::vector<StepSets::Cells>& label_cells,
                nb::object label, const std::vector<EquationRow>& equations, const std::vector<std::string>& kinds,
                std::shared_ptr<Estimator> estimator, const std::string& order, std::optional<std::uint64_t> seed,
                const PythonRequest& asked)
        : space_(space), request_(asked.native()), monitor_(request_, 8),
          graph_(space, std::move(propositions),
                 StepSets(space.full_program(), label_cells, ask_python(label, space.words())),
                 system_of(equations, kinds), std::move(estimator), monitor_.memory(), request_.limits.states),
          solver_(graph_, monitor_.memory(), options_of(order, seed)) {}

    // The value in all initial states, and the first of these that decides; nothing if a limit comes before, or if the
    // start fails.
    std::optional<bool> solve() {
        const Busy<ProgramSpace> busy(space_);
        const nb::gil_scoped_release unlocked;
        try {
            return decide_all();
        } catch (const NoRoom&) {
            status_ = graph_.states() >= request_.limits.states ? Status::kStates : Status::kMemory;
        } catch (const std::bad_alloc&) {
            status_ = Status::kMemory;
        } catch (const Interrupted&) {
            status_ = Status::kInterrupted;
        }
        count();
        return std::nullopt;
    }

    Statistics statistics() const { return statistics_; }
    const SolveCounts& counts() const { return solver_.counts(); }
    std::size_t asked_labels() const { return graph_.asked_labels(); }
    const char* status() const {
        return status_ == Status::kTime          ? "time"
               : status_ == Status::kMemory      ? "memory"
               : status_ == Status::kStates      ? "states"
               : status_ == Status::kInterrupted ? "interrupted"
                                                 : "found";
    }
    bool start_fails() const { return start_fails_; }

    nb::tuple arcs() {
        const Busy<ProgramSpace> busy(space_);
        return told_arcs(graph_, space_.words());
    }

    // (equation, value, state, reasons) of each variable, reasons being pairs of a position and the position of an arc
    // (-1: in the same state); and the words of the states (None: where steps lead that fail). None if it is larger.
    nb::object diagnostic(std::size_t most) {
        const Busy<ProgramSpace> busy(space_);
        Diagnostic<ModalGraph> found;
        if (!found.collect(solver_, root_, most)) {
            return nb::none();
        }
        nb::list nodes, states;
        std::unordered_map<ModalGraph::State, std::uint32_t> numbers;
        for (std::size_t i = 0; i < found.variables.size(); ++i) {
            const Variable variable = found.variables[i];
            const ModalGraph::State state = graph_.state(variable);
            const auto [number, is_new] = numbers.try_emplace(state, static_cast<std::uint32_t>(numbers.size()));
            if (is_new) {
                states.append(state == ModalGraph::kFailed ? nb::object(nb::none())
                                                           : words_tuple(graph_.words_of(state), space_.words()));
            }
            nb::list reasons;
            for (const std::uint32_t reason : found.reasons[i]) {
                reasons.append(nb::make_tuple(reason, graph_.arc_between(variable, found.variables[reason])));
            }
            nodes.append(nb::make_tuple(graph_.equation(variable), solver_.value(variable), number->second, reasons));
        }
        return nb::make_tuple(nodes, states);
    }

private:
    std::optional<bool> decide_all() {
        const std::optional<std::vector<Variable>> roots = graph_.roots();
        start_fails_ = !roots.has_value();
        if (start_fails_) {
            return std::nullopt;
        }
        for (const Variable root : *roots) {
            root_ = root;
            status_ = solver_.solve(root, [this] { return pulse(); });
            if (status_ != Status::kFound || !solver_.value(root)) {
                break;
            }
        }
        count();
        return status_ == Status::kFound ? std::optional(solver_.value(root_)) : std::nullopt;
    }

    Status pulse() {
        note();
        return monitor_.pulse(statistics_);
    }

    void count() {
        note();
        monitor_.measure(statistics_);
    }

    void note() {
        statistics_.stored = graph_.states();
        statistics_.expanded = graph_.expanded();
        statistics_.generated = graph_.generated();
        statistics_.evaluated = graph_.evaluated();
    }

    ProgramSpace& space_;
    Request request_;
    Monitor monitor_;
    ModalGraph graph_;
    EquationSolver<ModalGraph> solver_;
    Statistics statistics_;
    Status status_ = Status::kRunning;
    Variable root_ = 0;
    bool start_fails_ = false;
};

} // namespace

BEELINE_BIND(kFunctions, module) {
    module.def("solve_equations", &solve_table, nb::arg("equations"), nb::arg("kinds"), nb::arg("root") = 0,
               nb::arg("order") = "nearest", nb::arg("seed") = nb::none(),
               "The value of a variable, why it has that (variable, value, positions of reasons), and how many "
               "variables were looked at. Equations are (is a disjunction, block, rank, successors); blocks are mu, nu "
               "or mixed.");
    nb::class_<SolveCounts>(module, "SolveCounts", "What a solver of equations counts.")
        .def_ro("variables", &SolveCounts::variables)
        .def_ro("expanded", &SolveCounts::expanded)
        .def_ro("dependencies", &SolveCounts::dependencies)
        .def_ro("closings", &SolveCounts::closings);
    nb::class_<ModalSolver>(module, "ModalSolver", "A formula of the mu-calculus about a compiled network.")
        .def(
            "__init__",
            [](ModalSolver* self, ProgramSpace& space, std::shared_ptr<const Program> values,
               std::vector<std::int32_t> blocks, const std::vector<StepSets::Cells>& label_cells, nb::object label,
               const std::vector<EquationRow>& equations, const std::vector<std::string>& kinds,
               std::shared_ptr<Estimator> estimator, const std::string& order, std::optional<std::uint64_t> seed,
               const PythonRequest& request) {
                new (self) ModalSolver(space, Propositions(std::move(values), std::move(blocks)), label_cells,
                                       std::move(label), equations, kinds, std::move(estimator), order, seed, request);
            },
            nb::arg("space"), nb::arg("values"), nb::arg("blocks"), nb::arg("label_cells"), nb::arg("label"),
            nb::arg("equations"), nb::arg("kinds"), nb::arg("estimator").none(), nb::arg("order"),
            nb::arg("seed").none(), nb::arg("request"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 12>())
        .def("solve", &ModalSolver::solve, "Whether the formula holds; None if that is not known, see status.")
        .def("diagnostic", &ModalSolver::diagnostic, nb::arg("most"))
        .def("arcs", &ModalSolver::arcs, nb::sig(kToldArcs.signature), kToldArcs.about)
        .def_prop_ro("status", &ModalSolver::status)
        .def_prop_ro("start_fails", &ModalSolver::start_fails)
        .def_prop_ro("statistics", &ModalSolver::statistics)
        .def_prop_ro("asked_labels", &ModalSolver::asked_labels)
        .def_prop_ro("counts", &ModalSolver::counts);
}

} // namespace beeline
