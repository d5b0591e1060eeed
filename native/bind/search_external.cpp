// Searches with states on disk, and searches in memory that leave checkpoints, in programs.
#include "external/disk_cycles.hpp"
#include "external/disk_search.hpp"
#include "external/kept_search.hpp"

#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "program/reduced_program_space.hpp"
#include "space/pair_space.hpp"

#include <nanobind/stl/string.h>
#include <stdexcept>
#include <string>

namespace nb = nanobind;

namespace beeline {
namespace {

template <template <class, class> class Search, class S>
Outcome search_on_disk(S& space, const PythonRequest& asked, const DiskOptions& options) {
    if (options.buffer == 0 || options.order.estimators.size() > 1) {
        throw std::invalid_argument("a search on disk needs a buffer, and goes by one estimate at most");
    }
    const Busy<S> busy(space);
    const Request request = asked.native();
    const nb::gil_scoped_release unlocked;
    return run_on_disk<Search>(space, request, options);
}

template <class S>
Outcome disk_search(S& space, const PythonRequest& asked, const std::string& folder, std::optional<std::size_t> buffer,
                    std::optional<BestFirstOptions> order, const std::optional<std::string>& checkpoint, double every,
                    const std::string& identity, bool resumes) {
    const DiskOptions options{folder,
                              buffer.value_or(kMostStates),
                              order.value_or(BestFirstOptions{}),
                              {checkpoint.value_or(""), every, identity, resumes}};
    return search_on_disk<DiskSearch>(space, asked, options);
}

Outcome disk_cycles(ProgramSpace& space, const PythonRequest& asked, const std::string& folder,
                    std::optional<std::size_t> buffer, const std::optional<std::string>& checkpoint, double every,
                    const std::string& identity, bool resumes) {
    const DiskOptions options{
        folder, buffer.value_or(kMostStates), {}, {checkpoint.value_or(""), every, identity, resumes}};
    return search_on_disk<DiskCycles>(space, asked, options);
}

template <class S>
void bind_disk_search(nb::module_& module) {
    module.def("disk_search", &disk_search<S>, nb::arg("space"), nb::arg("request"), nb::arg("folder"),
               nb::arg("buffer").none() = nb::none(), nb::arg("order").none() = nb::none(),
               nb::arg("checkpoint").none() = nb::none(), nb::arg("every") = CheckpointOptions{}.every,
               nb::arg("identity") = "", nb::arg("resumes") = false,
               "Breadth-first search, or A* by the estimate of `order`, which must be consistent, with states in files "
               "in `folder`, and at most `buffer` new states in memory. "
               "Leaves what it needs to go on in the file `checkpoint`, or goes on from there.");
}

template <class S>
Outcome kept_search(S& space, const PythonRequest& asked, const std::optional<BestFirstOptions>& order,
                    const std::string& checkpoint, double every, const std::string& identity, bool resumes) {
    const CheckpointOptions options{checkpoint, every, identity, resumes};
    if (order) {
        return search_unlocked<KeptBestFirst>(space, asked, options, *order);
    }
    return breadth_first_by<KeptBreadthFirst, KeptParallelBreadthFirst>(space, asked, options);
}

template <class S>
Outcome kept_anytime(S& space, const PythonRequest& asked, const AnytimeOptions& order, const std::string& checkpoint,
                     double every, const std::string& identity, bool resumes) {
    const CheckpointOptions options{checkpoint, every, identity, resumes};
    if (!Anytime<S, Store>::is_directed(order, asked.limits)) {
        return search_unlocked<KeptBreadthFirst>(space, asked, options);
    }
    return search_unlocked<KeptAnytime>(space, asked, options, order);
}

template <class S>
void bind_kept_searches(nb::module_& module) {
    module.def("kept_search", &kept_search<S>, nb::arg("space"), nb::arg("request"), nb::arg("order").none(),
               nb::arg("checkpoint"), nb::arg("every"), nb::arg("identity"), nb::arg("resumes"),
               "Breadth-first search, or best-first search as `order` says, which leaves what it needs to go on in the "
               "file `checkpoint`, or goes on from there.");
    module.def("kept_anytime", &kept_anytime<S>, nb::arg("space"), nb::arg("request"), nb::arg("options"),
               nb::arg("checkpoint"), nb::arg("every"), nb::arg("identity"), nb::arg("resumes"),
               "The same for `anytime`.");
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    nb::exception<DiskError>(module, "DiskError");
    nb::exception<CheckpointError>(module, "CheckpointError");
    bind_disk_search<ProgramSpace>(module);
    bind_disk_search<PairSpace<ProgramSpace>>(module);
    module.def("disk_cycles", &disk_cycles, nb::arg("space"), nb::arg("request"), nb::arg("folder"),
               nb::arg("buffer").none() = nb::none(), nb::arg("checkpoint").none() = nb::none(),
               nb::arg("every") = CheckpointOptions{}.every, nb::arg("identity") = "", nb::arg("resumes") = false,
               "Looks for an accepting cycle, or proves that there is none, with states in files in `folder`. Goes on "
               "from a checkpoint where not all states were found, and else with what is done when they are.");
    bind_kept_searches<ProgramSpace>(module);
    bind_kept_searches<ReducedProgramSpace>(module);
}

} // namespace beeline
