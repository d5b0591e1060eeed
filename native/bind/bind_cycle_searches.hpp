// Gives a space type the searches for accepting cycles, and a space of pairs in which every search looks for them.
#pragma once

#include "bind/bind_searches.hpp"
#include "search/component_search.hpp"
#include "search/parallel_nested.hpp"
#include "space/pair_space.hpp"

#include <nanobind/stl/string.h>
#include <stdexcept>
#include <string>

namespace beeline {

inline Fairness fairness_named(const std::string& name) {
    if (name == "none") {
        return Fairness::kNone;
    }
    if (name == "weak") {
        return Fairness::kWeak;
    }
    if (name == "strong") {
        return Fairness::kStrong;
    }
    throw std::invalid_argument("fairness is none, weak or strong");
}

// By several threads if that was asked for and the space allows it.
template <class S>
Outcome nested_depth_first(S& space, const PythonRequest& asked, bool weak) {
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nanobind::gil_scoped_release unlocked;
    const NestedOptions options{weak};
    if constexpr (CloneableSpace<S>) {
        if (request.threads > 1 && can_share(space)) {
            const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
                return SharedStore(space.words(), account, max_states, side_bytes);
            };
            return request.threads <= PairNested<S, SharedStore>::kMostThreads
                       ? run_with_store<PairNested>(space, request, make, options, request.threads)
                       : run_with_store<TeamNested>(space, request, make, options, request.threads);
        }
    }
    return run_search<NestedDepthFirst>(space, request, options);
}

template <class S>
Outcome component_search(S& space, const PythonRequest& request, const std::string& fairness) {
    const ComponentOptions options{fairness_named(fairness)};
    return needs_many_sets(space, options) ? search_unlocked<ManySetsSearch>(space, request, options)
                                           : search_unlocked<FewSetsSearch>(space, request, options);
}

template <class S, class... Extra>
void bind_cycle_searches(nanobind::module_& module, nanobind::class_<S, Extra...>& cls, const char* pairs) {
    namespace nb = nanobind;
    cls.def("nested_depth_first", &nested_depth_first<S>, nb::arg("request"), nb::arg("weak") = false)
        .def("component_search", &component_search<S>, nb::arg("request"), nb::arg("fairness") = "none");
    nb::class_<PairSpace<S>> paired(module, pairs, "States of a space, each with the one to which it must come back.");
    paired.def(nb::init<S&, bool, std::vector<Word>>(), nb::arg("space"), nb::arg("any_seed") = false,
               nb::arg("only") = std::vector<Word>{}, nb::keep_alive<1, 2>());
    paired.def_prop_ro("inner", [](PairSpace<S>& space) -> S& { return space.inner(); }, "The space itself.");
    bind_searches(paired);
}

} // namespace beeline
