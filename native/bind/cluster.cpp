// Ranks of distributed searches. Everything that is done for each state is done here; Python sees whole lines.
#include "bind/bytes.hpp"
#include "bind/register.hpp"
#include "bind/search_request.hpp"
#include "external/checkpoint.hpp"
#include "external/disk_rank.hpp"
#include "program/reduced_program_space.hpp"
#include "search/directed_rank.hpp"
#include "search/layer_rank.hpp"
#include "search/retelling.hpp"
#include "search/team_rank.hpp"
#include "space/pair_space.hpp"

#include <memory>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {
namespace {

template <class R>
nb::object take_line(R& rank) {
    if (!rank.lines().any_full()) {
        return nb::none();
    }
    const auto [owner, line] = rank.lines().take();
    return nb::make_tuple(owner, bytes_of(line));
}

template <class R>
nb::object violation(const R& rank) {
    const std::optional<Violation>& found = rank.violation();
    if (!found) {
        return nb::none();
    }
    const nb::object source = found->source == kNoIndex ? nb::none() : nb::object(nb::int_(found->source));
    return nb::make_tuple(found->steps, found->marks, source, found->action, found->detail,
                          nb::tuple(nb::cast(found->target)));
}

template <class R>
nb::tuple ancestry(const R& rank, Index index) {
    if (!rank.has(index)) {
        throw nb::index_error("the rank has fewer states");
    }
    const Ancestry way = rank.ancestry(index);
    const std::size_t words = rank.words();
    nb::list steps;
    for (std::size_t i = 0; i < way.actions.size(); ++i) {
        const Word* state = way.states.data() + i * words;
        steps.append(nb::make_tuple(way.actions[i], nb::tuple(nb::cast(std::vector<Word>(state, state + words)))));
    }
    const nb::object next = way.index == kNoIndex ? nb::none() : nb::object(nb::make_tuple(way.rank, way.index));
    return nb::make_tuple(steps, next);
}

template <class R>
nb::dict traffic(R& rank) {
    nb::dict counts;
    counts["sent"] = rank.lines().added();
    counts["filtered"] = rank.lines().filtered();
    counts["received"] = rank.arrivals().states;
    counts["known"] = rank.arrivals().known;
    return counts;
}

// What all kinds of ranks offer.
template <class R>
nb::class_<R> bind_rank(nb::module_& module, const char* name, const char* told) {
    return nb::class_<R>(module, name, told)
        .def("begin", &R::begin, nb::call_guard<nb::gil_scoped_release>(),
             "The initial states, on behalf of all ranks.")
        .def(
            "accept",
            [](R& rank, const nb::object& line) {
                const Words words(line);
                const nb::gil_scoped_release unlocked;
                rank.accept(words.data(), words.size());
            },
            nb::arg("line"), nb::sig("def accept(self, line: collections.abc.Buffer) -> None"),
            "Takes in a line that another rank sent.")
        .def(
            "flush", [](R& rank) { rank.lines().flush(); }, "Lines that are not full are to be sent as well.")
        .def("take_line", &take_line<R>, nb::sig("def take_line(self) -> tuple[int, bytes] | None"),
             "The next line to be sent, with the rank to which it goes.")
        .def_prop_ro("violation", &violation<R>,
                     nb::sig("def violation(self) -> tuple[int, int, int | None, int, int, tuple[int, ...]] | None"),
                     "What was found after the fewest steps: steps, marks, own state, action, detail, target.")
        .def("ancestry", &ancestry<R>, nb::arg("index"),
             nb::sig(
                 "def ancestry(self, index: int) -> tuple[list[tuple[int, tuple[int, ...]]], tuple[int, int] | None]"),
             "The way back from a state, as far as it is known here, and the rank and state where it goes on.")
        .def_prop_ro(
            "limit", [](const R& rank) { return rank.status() == Status::kRunning ? "" : status_name(rank.status()); },
            "The limit that was reached; empty if none was.")
        .def_prop_ro("statistics", [](R& rank) { return Statistics(rank.statistics()); })
        .def_prop_ro("traffic", &traffic<R>, nb::sig("def traffic(self) -> dict[str, int]"),
                     "States sent, left out because they were sent shortly before, received, and received in vain.")
        .def_prop_ro("waiting", &R::waiting, "How many states are still to be expanded.");
}

template <class R, class S, class... Extra>
void make_rank(R* place, S& space, std::uint32_t rank, std::uint32_t ranks, std::size_t line,
               const PythonRequest& request, Extra... extra) {
    if (ranks == 0 || ranks > 1u << 16) {
        throw std::invalid_argument("between 1 and 65536 ranks can search together");
    }
    Request native;
    native.stop = request.stop;
    native.limits = request.limits;
    new (place) R(space, RankPlace{rank, ranks, line}, native, extra...);
}

template <class S, class With>
void archive(KeptRank<S>& rank, With& with, const std::string&) {
    rank.archive(with);
}
template <class S>
void archive(DiskRank<S>& rank, CheckpointWriter& writer, const std::string& file) {
    rank.save(writer, file);
}
template <class S>
void archive(DiskRank<S>& rank, CheckpointReader& reader, const std::string& file) {
    rank.restore(reader, file);
}

template <class R>
void save(R& rank, const std::string& file, const std::string& identity) {
    try {
        CheckpointWriter writer({file, 0, identity, false});
        archive(rank, writer, file);
        writer.finish();
    } catch (const DiskFull& full) {
        throw DiskError(full.what());
    }
}

template <class R>
void restore(R& rank, const std::string& file, const std::string& identity) {
    CheckpointReader reader({file, 0, identity, true});
    archive(rank, reader, file);
    if (rank.status() == Status::kRunning) {
        reader.finish();
    }
}

template <class R>
void adopt(R& rank, const std::vector<std::string>& files, const std::string& identity) {
    rank.adopt(static_cast<std::uint32_t>(files.size()), [&](std::uint32_t part) {
        return std::make_unique<CheckpointReader>(CheckpointOptions{files[part], 0, identity, true});
    });
}

template <class R>
void bind_keeping(nb::class_<R>& rank) {
    rank.def("save", &save<R>, nb::arg("file"), nb::arg("identity"), nb::call_guard<nb::gil_scoped_release>(),
             "Leaves in a file what it takes to go on, while no line is under way.")
        .def("restore", &restore<R>, nb::arg("file"), nb::arg("identity"), nb::call_guard<nb::gil_scoped_release>(),
             "Goes on from there, before it has begun.")
        .def("adopt", &adopt<R>, nb::arg("files"), nb::arg("identity"), nb::call_guard<nb::gil_scoped_release>(),
             "Goes on from what another number of ranks left.");
}

template <class S>
void bind_layers(nb::module_& module, const char* name, const char* told) {
    using Layers = LayerRank<S>;
    auto rank = bind_rank<Layers>(module, name, told);
    rank.def("__init__", &make_rank<Layers, S>, nb::arg("space"), nb::arg("rank"), nb::arg("ranks"), nb::arg("line"),
             nb::arg("request"), nb::keep_alive<1, 2>())
        .def("advance", &Layers::advance, "Begins the next round: how many states it has.")
        .def("probe", &Layers::probe, "States beyond this layer are only asked whether they are known.")
        .def("expand", &Layers::expand, nb::arg("most"), nb::call_guard<nb::gil_scoped_release>(),
             "Expands about so many states of the layer; whether more are left.")
        .def_prop_ro("cut", &Layers::cut, "Whether something new lies behind the bound.");
    bind_keeping(rank);
}

// It leaves no checkpoints.
template <class S>
void bind_team(nb::module_& module, const char* name, const char* told) {
    using Team = TeamRank<S>;
    bind_rank<Team>(module, name, told)
        .def("__init__", &make_rank<Team, S, std::size_t>, nb::arg("space"), nb::arg("rank"), nb::arg("ranks"),
             nb::arg("line"), nb::arg("request"), nb::arg("threads"), nb::keep_alive<1, 2>())
        .def("advance", &Team::advance, "Begins the next round: how many states it has.")
        .def("probe", &Team::probe, "States beyond this layer are only asked whether they are known.")
        .def("expand", &Team::expand, nb::arg("most"), nb::call_guard<nb::gil_scoped_release>(),
             "Expands about so many states of the layer; whether more are left.")
        .def_prop_ro("cut", &Team::cut, "Whether something new lies behind the bound.");
}

template <class S>
void bind_on_disk(nb::module_& module, const char* name, const char* told) {
    using OnDisk = DiskRank<S>;
    auto rank = bind_rank<OnDisk>(module, name, told);
    rank.def("__init__", &make_rank<OnDisk, S, const std::string&, Estimator*, bool>, nb::arg("space"), nb::arg("rank"),
             nb::arg("ranks"), nb::arg("line"), nb::arg("request"), nb::arg("folder"),
             nb::arg("estimator").none() = nb::none(), nb::arg("prune") = false, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 8>())
        .def("advance", &OnDisk::advance, nb::arg("sum"), nb::arg("depth"), nb::call_guard<nb::gil_scoped_release>(),
             "Begins the next round, with the states of this depth and this sum of depth and estimate: how many may be "
             "new.")
        .def_prop_ro(
            "next",
            [](const OnDisk& one) -> nb::object {
                const auto next = one.next();
                return next ? nb::object(nb::make_tuple(next->sum, next->depth)) : nb::none();
            },
            nb::sig("def next(self) -> tuple[int, int] | None"), "What comes next: sum and depth.")
        .def("keep_nothing", &OnDisk::keep_nothing, "There is no checkpoint any more.")
        .def("expand", &OnDisk::expand, nb::arg("most"), nb::call_guard<nb::gil_scoped_release>(),
             "Merges or expands about so many states; whether more are left.")
        .def_prop_ro("cut", &OnDisk::cut, "Whether something new lies behind the bound.")
        .def_prop_ro(
            "source", [](const OnDisk& one) { return nb::tuple(nb::cast(one.source())); },
            nb::sig("def source(self) -> tuple[int, ...]"), "The state at which the violation was found.")
        .def_prop_ro("source_depth", &OnDisk::source_depth, "Its depth.")
        .def("initial_action", &OnDisk::initial_action, nb::arg("state"), "Of the arc to an initial state.")
        .def("begin_seeking", &OnDisk::begin_seeking, nb::arg("depth"), nb::arg("target"),
             "Looks for a state of this depth with an arc to another one.")
        .def("seek", &OnDisk::seek, nb::arg("most"), nb::call_guard<nb::gil_scoped_release>(),
             "Looks at about so many states; whether more are left.")
        .def_prop_ro(
            "sought",
            [](const OnDisk& one) -> nb::object {
                if (!one.sought()) {
                    return nb::none();
                }
                return nb::make_tuple(one.sought()->first, nb::tuple(nb::cast(one.sought()->second)));
            },
            nb::sig("def sought(self) -> tuple[int, tuple[int, ...]] | None"),
            "The action of the arc and the state, if one was found.");
    bind_keeping(rank);
}

template <class S>
void bind_directed(nb::module_& module, const char* name, const char* told) {
    using Directed = DirectedRank<S>;
    auto rank = bind_rank<Directed>(module, name, told);
    rank.def("__init__", &make_rank<Directed, S, Estimator&, bool>, nb::arg("space"), nb::arg("rank"), nb::arg("ranks"),
             nb::arg("line"), nb::arg("request"), nb::arg("estimator"), nb::arg("prune"), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 7>())
        .def("set_bound", &Directed::set_bound, nb::arg("steps"), "Somebody has found a trace of so many steps.")
        .def("expand", &Directed::expand, nb::arg("most"), nb::call_guard<nb::gil_scoped_release>(),
             "Expands about so many states; whether more are left.");
    bind_keeping(rank);
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    using Pairs = PairSpace<ReducedProgramSpace>;
    bind_layers<ReducedProgramSpace>(module, "LayerRank", "One rank of a distributed breadth-first search.");
    bind_directed<ReducedProgramSpace>(module, "DirectedRank", "One rank of a distributed A*.");
    bind_layers<Pairs>(module, "PairedLayerRank", "The same for pairs of states.");
    bind_team<ReducedProgramSpace>(module, "TeamRank",
                                   "One rank of a breadth-first search whose threads share a store.");
    bind_on_disk<ReducedProgramSpace>(module, "DiskRank",
                                      "One rank of a breadth-first search or A* with states in files.");
    bind_on_disk<Pairs>(module, "PairedDiskRank", "The same for pairs of states.");
    bind_directed<Pairs>(module, "PairedDirectedRank", "The same for pairs of states.");
    module.def("owner_of", &owner_of, nb::arg("hash"), nb::arg("ranks"), "The rank that keeps a state of this hash.");
    module.def(
        "retell_pairs", [](Pairs& space, Outcome& outcome) { retell(space, outcome); }, nb::arg("space"),
        nb::arg("outcome"), "Has the path of an outcome tell the states themselves, and where its cycle begins.");
}

} // namespace beeline
