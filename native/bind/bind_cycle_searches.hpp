// Gives a space type the searches for accepting cycles, and a space of pairs in which every search looks for them.
#pragma once

#include "bind/bind_searches.hpp"
#include "search/component_search.hpp"
#include "search/nested_depth_first.hpp"
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

template <class S>
Outcome nested_depth_first(S& space, const PythonRequest& request, bool weak) {
    return search_unlocked<NestedDepthFirst>(space, request, NestedOptions{weak});
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
    bind_searches(paired);
}

} // namespace beeline
