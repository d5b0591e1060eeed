// Ranks that share a system of boolean equations: that of a table, or that of a formula and a network.
#include "bind/bind_searches.hpp"
#include "bind/read_equations.hpp"
#include "bind/register.hpp"
#include "equations/equation_share.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace nb = nanobind;

namespace beeline {
namespace {

// A share of a graph, with its limits and counts. Everything that is done for single variables is done here.
template <class G>
class EquationRank {
public:
    // `make(memory, request)` makes the graph.
    template <class Make>
    EquationRank(const RankPlace& place, const Request& request, const SolveOptions& options, const Make& make)
        : request_(request), monitor_(request_, 8), graph_(make(monitor_.memory(), request_)),
          share_(graph_, monitor_.memory(), options, place) {}
    EquationRank(const EquationRank&) = delete;
    EquationRank& operator=(const EquationRank&) = delete;

    // Does some work, unless a limit was reached before. Whatever is asked for after that is incomplete.
    template <class Work>
    void guarded(const Work& work) {
        const nb::gil_scoped_release unlocked;
        if (status_ != Status::kRunning) {
            return;
        }
        try {
            work();
            count();
            status_ = monitor_.pulse(statistics_);
        } catch (const NoRoom&) {
            status_ = has_most_states() ? Status::kStates : Status::kMemory;
        } catch (const std::bad_alloc&) {
            status_ = Status::kMemory;
        }
    }

    const Statistics& statistics() {
        count();
        monitor_.measure(statistics_);
        return statistics_;
    }
    G& graph() { return graph_; }
    EquationShare<G>& share() { return share_; }
    Status status() const { return status_; }

private:
    bool has_most_states() const {
        if constexpr (std::same_as<G, ModalGraph>) {
            return graph_.states() >= request_.limits.states;
        }
        return false;
    }

    void count() {
        if constexpr (std::same_as<G, ModalGraph>) {
            statistics_.stored = graph_.own_states();
            statistics_.expanded = graph_.expanded();
            statistics_.generated = graph_.generated();
        } else {
            statistics_.stored = share_.counts().variables;
            statistics_.expanded = share_.counts().expanded;
        }
    }

    Request request_;
    Monitor monitor_;
    G graph_;
    EquationShare<G> share_;
    Statistics statistics_;
    Status status_ = Status::kRunning;
};

template <class G>
nb::bytes key_of(EquationRank<G>& rank, Variable variable) {
    std::vector<Word> key(rank.graph().key_words());
    rank.graph().write_key(variable, key.data());
    return bytes_of(key);
}

template <class G>
nb::object take_line(EquationRank<G>& rank) {
    if (!rank.share().any_full()) {
        return nb::none();
    }
    const auto [owner, line] = rank.share().take();
    return nb::make_tuple(owner, bytes_of(line));
}

template <class G>
nb::object verdict(EquationRank<G>& rank) {
    const std::optional<std::pair<bool, Variable>> found = rank.share().verdict();
    if (!found) {
        return nb::none();
    }
    return nb::make_tuple(found->first, rank.graph().owner(found->second), key_of(rank, found->second));
}

// The value of a variable of this rank's own, and why it has that: rank, key and arc of each reason.
template <class G>
nb::tuple explain(EquationRank<G>& rank, const nb::bytes& key) {
    const Words words(key);
    if (words.size() != rank.graph().key_words()) {
        throw std::invalid_argument("this is no key of this system");
    }
    const Variable variable = rank.graph().variable_of(words.data());
    if (!rank.share().is_decided(variable)) {
        throw std::invalid_argument("the variable is open");
    }
    nb::list reasons;
    for (const Variable reason : rank.share().reasons(variable)) {
        std::int64_t arc = -1;
        if constexpr (std::same_as<G, ModalGraph>) {
            arc = rank.graph().arc_between(variable, reason);
        }
        reasons.append(nb::make_tuple(rank.graph().owner(reason), key_of(rank, reason), arc));
    }
    return nb::make_tuple(rank.share().value(variable), reasons);
}

template <class G>
nb::class_<EquationRank<G>> bind_rank(nb::module_& module, const char* name, const char* told) {
    using R = EquationRank<G>;
    return nb::class_<R>(module, name, told)
        .def(
            "accept",
            [](R& rank, const nb::object& line) {
                const Words words(line);
                rank.guarded([&] { rank.share().accept(words.data(), words.size()); });
            },
            nb::arg("line"), nb::sig("def accept(self, line: collections.abc.Buffer) -> None"),
            "Takes in a line that another rank sent.")
        .def(
            "flush", [](R& rank) { rank.share().flush(); }, "Lines that are not full are to be sent as well.")
        .def("take_line", &take_line<G>, nb::sig("def take_line(self) -> tuple[int, bytes] | None"),
             "The next line to be sent, with the rank to which it goes.")
        .def(
            "expand",
            [](R& rank, std::size_t most) {
                bool more = false;
                rank.guarded([&] { more = rank.share().expand(most); });
                return more;
            },
            nb::arg("most"), "Looks at so many variables at most; whether more are left.")
        .def_prop_ro(
            "waiting", [](R& rank) { return rank.share().waiting(); }, "How many variables are still to be looked at.")
        .def_prop_ro(
            "open_blocks", [](R& rank) { return rank.share().open_blocks(); },
            "How many blocks there are up to the highest with an open variable.")
        .def(
            "close", [](R& rank, std::size_t block) { rank.guarded([&] { rank.share().close(block); }); },
            nb::arg("block"), "Nothing decides the open variables of this block, here or elsewhere.")
        .def_prop_ro("verdict", &verdict<G>, nb::sig("def verdict(self) -> tuple[bool, int, bytes] | None"),
                     "What this rank was asked, with the owner and the key of the variable that decided it.")
        .def("explain", &explain<G>, nb::arg("key"),
             nb::sig("def explain(self, key: bytes) -> tuple[bool, list[tuple[int, bytes, int]]]"),
             "The value of an own variable that is decided; rank, key and arc of each of its reasons.")
        .def_prop_ro(
            "limit", [](const R& rank) { return rank.status() == Status::kRunning ? "" : status_name(rank.status()); },
            "The limit that was reached; empty if none was.")
        .def_prop_ro("statistics", [](R& rank) { return Statistics(rank.statistics()); })
        .def_prop_ro(
            "traffic",
            [](R& rank) {
                nb::dict counts;
                counts["sent"] = rank.share().sent();
                counts["received"] = rank.share().received();
                counts["known"] = 0;
                counts["dependencies"] = rank.share().counts().dependencies;
                return counts;
            },
            nb::sig("def traffic(self) -> dict[str, int]"),
            "Questions and answers sent and received, and dependencies that are kept.");
}

RankPlace place_of(std::uint32_t rank, std::uint32_t ranks, std::size_t line) {
    if (ranks == 0 || ranks > 1u << 16) {
        throw std::invalid_argument("between 1 and 65536 ranks can share a system");
    }
    return {rank, ranks, line};
}

Request native_of(const PythonRequest& request) {
    Request native;
    native.limits = request.limits;
    return native;
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    using Tables = EquationRank<TableGraph>;
    bind_rank<TableGraph>(module, "TableRank", "One rank of a system of equations that is given as a table.")
        .def(
            "__init__",
            [](Tables* self, const std::vector<TableRow>& rows, const std::vector<std::string>& kinds,
               std::uint32_t rank, std::uint32_t ranks, std::size_t line, const std::string& order,
               std::optional<std::uint64_t> seed) {
                new (self) Tables(place_of(rank, ranks, line), Request(), options_of(order, seed),
                                  [&](MemoryAccount&, const Request&) {
                                      return TableGraph(equations_of(rows), kinds_of(kinds), ranks);
                                  });
            },
            nb::arg("equations"), nb::arg("kinds"), nb::arg("rank"), nb::arg("ranks"), nb::arg("line"),
            nb::arg("order"), nb::arg("seed").none())
        .def(
            "ask",
            [](Tables& rank, Variable root) {
                rank.guarded([&] { rank.share().ask({rank.graph().variable_of(&root)}); });
            },
            nb::arg("root"), "Wants to know the value of this variable.");
    using Modals = EquationRank<ModalGraph>;
    bind_rank<ModalGraph>(module, "ModalRank", "One rank of the system of a formula and a network.")
        .def(
            "__init__",
            [](Modals* self, ProgramSpace& space, std::shared_ptr<const Program> values,
               std::vector<std::int32_t> blocks, const std::vector<StepSets::Cells>& label_cells, nb::object label,
               const std::vector<EquationRow>& equations, const std::vector<std::string>& kinds, std::uint32_t rank,
               std::uint32_t ranks, std::size_t line, const std::string& order, const PythonRequest& request) {
                const RankPlace place = place_of(rank, ranks, line);
                const auto make = [&](MemoryAccount& account, const Request& native) {
                    return ModalGraph(
                        space, Propositions(std::move(values), std::move(blocks)),
                        StepSets(space.full_program(), label_cells, ask_python(std::move(label), space.words())),
                        system_of(equations, kinds), nullptr, account, native.limits.states, place);
                };
                new (self) Modals(place, native_of(request), options_of(order, std::nullopt), make);
            },
            nb::arg("space"), nb::arg("values"), nb::arg("blocks"), nb::arg("label_cells"), nb::arg("label"),
            nb::arg("equations"), nb::arg("kinds"), nb::arg("rank"), nb::arg("ranks"), nb::arg("line"),
            nb::arg("order"), nb::arg("request"), nb::keep_alive<1, 2>())
        .def(
            "ask",
            [](Modals& rank) {
                bool starts = true;
                rank.guarded([&] {
                    std::optional<std::vector<Variable>> roots = rank.graph().roots();
                    starts = roots.has_value();
                    if (starts) {
                        rank.share().ask(std::move(*roots));
                    }
                });
                return starts;
            },
            "Wants to know whether the formula holds in all initial states. False if the start fails.")
        .def(
            "arcs", [](Modals& rank) { return told_arcs(rank.graph(), rank.graph().key_words() - 1); },
            nb::sig(kToldArcs.signature), kToldArcs.about);
}

} // namespace beeline
