// Gives a space type all searches: `bind_searches(cls)` in the file that binds the space. A new search is one line
// here.
#pragma once

#include "bind/search_request.hpp"
#include "search/anytime.hpp"
#include "search/best_first.hpp"
#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/ida_star.hpp"
#include "search/iterative_deepening.hpp"
#include "search/parallel_breadth_first.hpp"
#include "search/race.hpp"
#include "search/shortening.hpp"
#include "search/walk.hpp"
#include "state/lossy_store.hpp"
#include "state/tree_store.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <vector>

namespace beeline {

// Spaces keep scratch memory, so one serves one search at a time: neither a second thread nor a progress callback may
// start another. Made and dropped with the interpreter lock held.
template <class S>
class Busy {
public:
    explicit Busy(const S& space) : space_(&space) {
        if (!spaces().insert(space_).second) {
            throw std::runtime_error("this space is being searched; make another for a search at the same time");
        }
    }
    ~Busy() { spaces().erase(space_); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    static std::unordered_set<const S*>& spaces() {
        static std::unordered_set<const S*> all;
        return all;
    }
    const S* space_;
};

template <template <class, class> class Search, class S, class... Arguments>
Outcome search_unlocked(S& space, const PythonRequest& asked, const Arguments&... arguments) {
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nanobind::gil_scoped_release unlocked;
    return run_search<Search>(space, request, arguments...);
}

// (action, marks, detail, words); an error arc has no target and so no words.
inline nanobind::tuple arc_tuple(const SuccessorBuffer& buffer, std::size_t i) {
    const auto& arc = buffer.arc(i);
    nanobind::object words = nanobind::none();
    if ((arc.marks & kError) == 0) {
        const Word* first = buffer.state(i);
        words = nanobind::tuple(nanobind::cast(std::vector<Word>(first, first + buffer.words())));
    }
    return nanobind::make_tuple(arc.action, arc.marks, arc.detail, words);
}

inline nanobind::list arc_list(const SuccessorBuffer& buffer) {
    nanobind::list arcs;
    for (std::size_t i = 0; i < buffer.size(); ++i) {
        arcs.append(arc_tuple(buffer, i));
    }
    return arcs;
}

template <class S>
nanobind::list initial_arcs(S& space) {
    const Busy<S> busy(space);
    SuccessorBuffer buffer(space.words());
    space.initial(buffer);
    return arc_list(buffer);
}

template <class S>
nanobind::tuple successor_arcs(S& space, const std::vector<Word>& state) {
    const Busy<S> busy(space);
    if (state.size() != space.words()) {
        throw std::invalid_argument("a state of this space has another number of words");
    }
    if constexpr (CheckingSpace<S>) {
        space.check_state(state.data());
    }
    SuccessorBuffer buffer(space.words());
    const std::uint32_t marks = space.expand(state.data(), buffer);
    return nanobind::make_tuple(marks, arc_list(buffer));
}

// Breadth-first search, by several threads if that was asked for and the space allows it.
template <template <class, class> class One, template <class, class> class Several, class S, class... Arguments>
Outcome breadth_first_by(S& space, const PythonRequest& asked, const Arguments&... arguments) {
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nanobind::gil_scoped_release unlocked;
    if constexpr (CloneableSpace<S>) {
        if (request.threads > 1 && can_share(space)) {
            const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
                return SharedStore(space.words(), account, max_states, side_bytes);
            };
            return run_with_store<Several>(space, request, make, arguments..., request.threads, request.smallest_layer);
        }
    }
    return run_search<One>(space, request, arguments...);
}

template <class S>
Outcome breadth_first(S& space, const PythonRequest& asked) {
    return breadth_first_by<BreadthFirst, ParallelBreadthFirst>(space, asked);
}

// Breadth-first search with a store that keeps equal parts of states once. A space with a store of its own uses that.
template <class S>
Outcome breadth_first_tree(S& space, const PythonRequest& asked, std::size_t sample) {
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nanobind::gil_scoped_release unlocked;
    const auto make = [&](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
        if constexpr (CoveringSpace<S>) {
            return space.make_store(account, max_states, side_bytes);
        } else {
            return TreeStore(space.words(), account, max_states, sample);
        }
    };
    return run_with_store<BreadthFirst>(space, request, make);
}

// Breadth-first search with a store that may miss states.
template <class Kept, class S>
Outcome breadth_first_lossy(S& space, const PythonRequest& asked, unsigned size, unsigned least, unsigned most) {
    if (size < least || size > most) {
        throw std::invalid_argument("a store of this size cannot be made");
    }
    if constexpr (CoveringSpace<S>) {
        throw std::invalid_argument("states that cover others need a store of their own");
    } else {
        const Busy<S> busy(space);
        const Request request = asked.native();
        const nanobind::gil_scoped_release unlocked;
        const auto make = [&](MemoryAccount& account, std::size_t max_states, std::size_t) {
            return LossyStore<Kept>(space.words(), account, max_states, size);
        };
        return run_with_store<BreadthFirst>(space, request, make);
    }
}

template <class S>
Outcome breadth_first_hash_compact(S& space, const PythonRequest& asked, unsigned bytes) {
    return breadth_first_lossy<HashCompact>(space, asked, bytes, 4, 8);
}

template <class S>
Outcome breadth_first_bitstate(S& space, const PythonRequest& asked, unsigned log_bits) {
    return breadth_first_lossy<Bitstate>(space, asked, log_bits, 10, 44);
}

template <class S>
Outcome iterative_deepening(S& space, const PythonRequest& request, std::uint32_t step) {
    if (step == 0) {
        throw std::invalid_argument("iterative deepening needs a step of at least one");
    }
    return search_unlocked<IterativeDeepening>(space, request, step);
}

template <class S>
Outcome shortening(S& space, const PythonRequest& request, bool reopen) {
    return search_unlocked<Shortening>(space, request, ShorteningOptions{reopen});
}

template <class S>
Outcome anytime_against(S& space, const PythonRequest& asked, const AnytimeOptions& first,
                        const std::vector<Rival>& rivals) {
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nanobind::gil_scoped_release unlocked;
    return race(space, request, RaceOptions{"auto", first, rivals});
}

template <class S, class... Extra>
void bind_searches(nanobind::class_<S, Extra...>& cls) {
    namespace nb = nanobind;
    using Seed = std::optional<std::uint64_t>;
    cls.def_prop_ro(
           "words", [](const S& space) { return space.words(); }, "Words of a packed state.")
        .def("initial_arcs", &initial_arcs<S>, "The initial states as (action, marks, detail, words).",
             nb::sig("def initial_arcs(self) -> list[tuple[int, int, int, tuple[int, ...] | None]]"))
        .def("successor_arcs", &successor_arcs<S>, nb::arg("state"),
             "Marks of a state, and its arcs as (action, marks, detail, words).",
             nb::sig("def successor_arcs(self, state: collections.abc.Sequence[int]) -> "
                     "tuple[int, list[tuple[int, int, int, tuple[int, ...] | None]]]"))
        .def("breadth_first", &breadth_first<S>, nb::arg("request"))
        .def("breadth_first_tree", &breadth_first_tree<S>, nb::arg("request"),
             nb::arg("sample") = TreeStore::kUsualSample)
        .def("breadth_first_hash_compact", &breadth_first_hash_compact<S>, nb::arg("request"), nb::arg("bytes"))
        .def("breadth_first_bitstate", &breadth_first_bitstate<S>, nb::arg("request"), nb::arg("log_bits"))
        .def("depth_first", &search_unlocked<DepthFirst, S, Seed>, nb::arg("request"),
             nb::arg("seed").none() = nb::none())
        .def("iterative_deepening", &iterative_deepening<S>, nb::arg("request"), nb::arg("step") = 1)
        .def("shortening", &shortening<S>, nb::arg("request"), nb::arg("reopen"))
        .def("best_first", &search_unlocked<BestFirst, S, BestFirstOptions>, nb::arg("request"), nb::arg("options"))
        .def("anytime", &search_unlocked<Anytime, S, AnytimeOptions>, nb::arg("request"), nb::arg("options"))
        .def("race", &anytime_against<S>, nb::arg("request"), nb::arg("options"), nb::arg("rivals"))
        .def("ida_star", &search_unlocked<IdaStar, S, IdaStarOptions>, nb::arg("request"), nb::arg("options"))
        .def("walk", &search_unlocked<Walk, S, WalkOptions>, nb::arg("request"), nb::arg("options"));
}

} // namespace beeline
