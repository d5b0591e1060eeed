// Boolean equation systems as Python writes them: rows of tables, and words for kinds and orders.
#pragma once

#include "bind/bytes.hpp"
#include "equations/modal_graph.hpp"
#include "equations/solver.hpp"
#include "equations/table_graph.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace beeline {

template <class T>
T named(const std::string& name, const std::vector<std::pair<const char*, T>>& all, const char* what) {
    for (const auto& [known, value] : all) {
        if (name == known) {
            return value;
        }
    }
    throw std::invalid_argument(what);
}

inline std::vector<BlockKind> kinds_of(const std::vector<std::string>& names) {
    std::vector<BlockKind> kinds;
    for (const std::string& name : names) {
        kinds.push_back(named<BlockKind>(
            name, {{"mu", BlockKind::kLeast}, {"nu", BlockKind::kGreatest}, {"mixed", BlockKind::kMixed}},
            "a block is mu, nu or mixed"));
    }
    return kinds;
}

inline SolveOptions options_of(const std::string& order, std::optional<std::uint64_t> seed) {
    SolveOptions options;
    options.order = named<SolveOrder>(order,
                                      {{"nearest", SolveOrder::kNearest},
                                       {"estimate", SolveOrder::kEstimate},
                                       {"sum", SolveOrder::kSum},
                                       {"latest", SolveOrder::kLatest}},
                                      "the order is nearest, estimate, sum or latest");
    if (seed) {
        options.ties = Ties::kRandom;
        options.seed = *seed;
    }
    return options;
}

using TableRow = std::tuple<bool, std::uint32_t, std::uint32_t, std::vector<Variable>>;

inline std::vector<TableGraph::Equation> equations_of(const std::vector<TableRow>& rows) {
    std::vector<TableGraph::Equation> equations;
    for (const auto& [is_disjunction, block, rank, successors] : rows) {
        equations.push_back({is_disjunction, block, rank, successors});
    }
    return equations;
}

using TermRow = std::tuple<std::string, bool, std::uint32_t, std::uint32_t>;
using EquationRow = std::tuple<bool, std::uint32_t, std::uint32_t, std::vector<TermRow>>;

inline ModalSystem system_of(const std::vector<EquationRow>& rows, const std::vector<std::string>& kinds) {
    ModalSystem system{{}, kinds_of(kinds)};
    for (const auto& [is_disjunction, block, rank, terms] : rows) {
        ModalEquation equation{is_disjunction, block, rank, {}};
        for (const auto& [kind, negated, which, target] : terms) {
            equation.terms.push_back({named<TermKind>(kind,
                                                      {{"proposition", TermKind::kProposition},
                                                       {"can", TermKind::kCan},
                                                       {"here", TermKind::kHere},
                                                       {"step", TermKind::kStep}},
                                                      "a term is a proposition, can, here or step"),
                                      negated, which, target});
        }
        system.equations.push_back(std::move(equation));
    }
    return system;
}

inline nanobind::object words_tuple(const Word* words, std::size_t count) {
    return nanobind::tuple(nanobind::cast(std::vector<Word>(words, words + count)));
}

struct {
    const char* signature = "def arcs(self) -> tuple[bytes, bytes, bytes, bytes, list[int]]";
    const char* about = "How many arcs each state has, from state 1 on (0xffffffff: not asked for); their targets, 0 "
                        "where a step fails; what is known of their labels; the states; and the initial ones.";
} inline constexpr kToldArcs;

inline nanobind::tuple told_arcs(ModalGraph& graph, std::size_t words) {
    std::vector<ModalGraph::State> starts;
    for (const Variable root : graph.roots().value_or(std::vector<Variable>())) {
        starts.push_back(graph.state(root));
    }
    const KnownArcs found = graph.known_arcs();
    std::vector<Word> states;
    for (ModalGraph::State state = 1; state <= graph.states(); ++state) {
        states.insert(states.end(), graph.words_of(state), graph.words_of(state) + words);
    }
    return nanobind::make_tuple(bytes_of(found.counts), bytes_of(found.targets), bytes_of(found.labels),
                                bytes_of(states), starts);
}

// Asks a Python function for the sets of a step; to be called without the interpreter lock.
inline StepSets::Ask ask_python(nanobind::object function, std::size_t words) {
    return [function = std::move(function), words](const Word* from, const SuccessorBuffer::Arc& arc, const Word* to) {
        const nanobind::gil_scoped_acquire lock;
        const nanobind::object target = to == nullptr ? nanobind::none() : words_tuple(to, words);
        return nanobind::cast<Word>(function(words_tuple(from, words), arc.action, arc.detail, target));
    };
}

} // namespace beeline
