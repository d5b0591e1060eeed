// Requests, statistics and outcomes: the types that all searches share.
#include "bind/register.hpp"
#include "bind/search_request.hpp"
#include "search/outcome.hpp"

#include <cmath>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {

const char* status_name(Status status) {
    switch (status) {
    case Status::kExhausted:
        return "exhausted";
    case Status::kFound:
        return "found";
    case Status::kTime:
        return "time";
    case Status::kMemory:
        return "memory";
    case Status::kStates:
        return "states";
    case Status::kDepth:
        return "depth";
    case Status::kGaveUp:
        return "gave up";
    case Status::kInterrupted:
        return "interrupted";
    case Status::kDisk:
        return "disk";
    case Status::kRunning:
        break;
    }
    return "running";
}

namespace {

// Called while the search runs without the interpreter lock: takes it, lets Python see signals, reports.
bool observe(const nb::object& progress, const Statistics& statistics) {
    const nb::gil_scoped_acquire lock;
    try {
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
        if (!progress.is_none()) {
            progress(nb::cast(Statistics(statistics)));
        }
        return true;
    } catch (nb::python_error& error) {
        if (error.matches(PyExc_KeyboardInterrupt)) {
            return false;
        }
        throw;
    }
}

Limits make_limits(std::optional<double> seconds, std::optional<std::size_t> memory, std::optional<std::size_t> states,
                   std::optional<std::uint32_t> depth, std::optional<std::uint64_t> disk) {
    Limits limits;
    if (seconds) {
        if (std::isnan(*seconds) || *seconds < 0) {
            throw std::invalid_argument("the time limit must be a number of seconds, zero or more");
        }
        limits.seconds = *seconds;
    }
    if (states && *states == 0) {
        throw std::invalid_argument("the limit of states must be at least one");
    }
    limits.memory = memory.value_or(limits.memory);
    limits.states = states.value_or(limits.states);
    limits.depth = depth.value_or(limits.depth);
    limits.disk = disk.value_or(limits.disk);
    return limits;
}

void make_request(PythonRequest* place, std::uint32_t stop, std::optional<double> seconds,
                  std::optional<std::size_t> memory, std::optional<std::size_t> states,
                  std::optional<std::uint32_t> depth, nb::object progress, nb::object cancellation, std::size_t threads,
                  std::size_t smallest_layer, std::size_t smallest_search, std::optional<std::uint64_t> disk) {
    if ((stop & ~std::uint32_t{kGoal | kError | kDeadlock | kCycle}) != 0) {
        throw std::invalid_argument("stop must be a combination of GOAL, ERROR, DEADLOCK and CYCLE");
    }
    if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0) {
        throw nb::type_error("progress must be callable");
    }
    if (!cancellation.is_none() && !nb::isinstance<Cancellation>(cancellation)) {
        throw nb::type_error("cancellation must be a Cancellation");
    }
    if (threads == 0 || threads > 1024) {
        throw std::invalid_argument("between 1 and 1024 threads can be had");
    }
    const Limits limits = make_limits(seconds, memory, states, depth, disk);
    new (place) PythonRequest{stop,    limits,         std::move(progress), std::move(cancellation),
                              threads, smallest_layer, smallest_search};
}

nb::tuple state_tuple(const Path& path, std::size_t i) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(path.words));
    if (tuple == nullptr) {
        throw nb::python_error();
    }
    const Word* words = path.state(i);
    for (std::size_t w = 0; w < path.words; ++w) {
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(w), PyLong_FromUnsignedLong(words[w]));
    }
    return nb::steal<nb::tuple>(tuple);
}

nb::tuple path_state(const Outcome& outcome, std::size_t i) {
    if (i >= outcome.path.size()) {
        throw nb::index_error("the path has fewer states");
    }
    return state_tuple(outcome.path, i);
}

nb::list path_list(const Outcome& outcome) {
    nb::list steps;
    for (std::size_t i = 0; i < outcome.path.size(); ++i) {
        steps.append(nb::make_tuple(outcome.path.actions[i], state_tuple(outcome.path, i)));
    }
    return steps;
}

// (seconds, stored, frontier, best estimate, memory)
nb::list history_list(const Outcome& outcome) {
    nb::list samples;
    for (const Sample& sample : outcome.history) {
        samples.append(
            nb::make_tuple(sample.seconds, sample.stored, sample.frontier, sample.best_estimate, sample.memory));
    }
    return samples;
}

void bind_statistics(nb::module_& module) {
    nb::class_<Statistics>(module, "Statistics", "What a search counted.")
        .def_ro("stored", &Statistics::stored)
        .def_ro("expanded", &Statistics::expanded)
        .def_ro("generated", &Statistics::generated)
        .def_ro("reopened", &Statistics::reopened)
        .def_ro("evaluated", &Statistics::evaluated)
        .def_ro("dead_ends", &Statistics::dead_ends)
        .def_ro("deadlocks", &Statistics::deadlocks)
        .def_ro("errors", &Statistics::errors)
        .def_ro("goals", &Statistics::goals)
        .def_ro("transient", &Statistics::transient)
        .def_ro("depth", &Statistics::depth)
        .def_ro("shortest", &Statistics::shortest)
        .def_ro("frontier", &Statistics::frontier)
        .def_ro("memory", &Statistics::memory)
        .def_ro("disk", &Statistics::disk)
        .def_ro("disk_read", &Statistics::disk_read)
        .def_ro("disk_written", &Statistics::disk_written)
        .def_ro("seconds", &Statistics::seconds)
        .def_ro("best_estimate", &Statistics::best_estimate)
        .def_ro("estimates", &Statistics::estimates);
}

void bind_outcome(nb::module_& module) {
    nb::class_<Outcome>(module, "Outcome", "How a search ended, and the path to what it found.")
        .def_prop_ro("status", [](const Outcome& outcome) { return status_name(outcome.status); })
        .def_ro("found", &Outcome::found)
        .def_prop_ro("path", &path_list, nb::sig("def path(self) -> list[tuple[int, tuple[int, ...]]]"))
        .def_prop_ro("actions", [](const Outcome& outcome) { return outcome.path.actions; })
        .def("state", &path_state, nb::arg("position"), nb::sig("def state(self, position: int) -> tuple[int, ...]"),
             "One state of the path, packed.")
        .def_ro("error_action", &Outcome::error_action)
        .def_ro("error_detail", &Outcome::error_detail)
        .def_ro("cycle", &Outcome::cycle)
        .def_ro("since", &Outcome::since)
        .def_ro("truncated", &Outcome::truncated)
        .def_ro("proven", &Outcome::proven)
        .def_ro("threads", &Outcome::threads)
        .def_ro("raced", &Outcome::raced)
        .def_ro("winner", &Outcome::winner)
        .def_ro("omission", &Outcome::omission)
        .def_ro("words", &Outcome::words)
        .def_ro("statistics", &Outcome::statistics)
        .def_prop_ro("history", &history_list, nb::sig("def history(self) -> list[tuple[float, int, int, int, int]]"));
}

} // namespace

Request PythonRequest::native() const {
    Request request;
    request.stop = stop;
    request.limits = limits;
    request.threads = threads;
    request.smallest_layer = smallest_layer;
    request.smallest_search = smallest_search;
    request.observer = [this](const Statistics& statistics) { return observe(progress, statistics); };
    if (!cancellation.is_none()) {
        request.cancelled = &nb::cast<Cancellation&>(cancellation).requested;
    }
    return request;
}

BEELINE_BIND(kTypes, module) {
    module.attr("GOAL") = static_cast<int>(kGoal);
    module.attr("ERROR") = static_cast<int>(kError);
    module.attr("DEADLOCK") = static_cast<int>(kDeadlock);
    module.attr("CYCLE") = static_cast<int>(kCycle);
    module.attr("ACCEPT") = static_cast<int>(kAccept);
    module.attr("TRANSIENT") = static_cast<int>(kTransient);
    nb::class_<Cancellation>(module, "Cancellation", "A flag by which another thread ends a search.")
        .def(nb::init<>())
        .def("cancel", [](Cancellation& flag) { flag.requested = true; })
        .def_prop_ro("requested", [](const Cancellation& flag) { return flag.requested.load(); });
    bind_statistics(module);
    bind_outcome(module);
    nb::class_<PythonRequest>(module, "Request", "What is asked of a search; see beeline.engine.run.")
        .def_ro("threads", &PythonRequest::threads)
        .def("__init__", &make_request, nb::kw_only(), nb::arg("stop"), nb::arg("seconds").none() = nb::none(),
             nb::arg("memory").none() = nb::none(), nb::arg("states").none() = nb::none(),
             nb::arg("depth").none() = nb::none(), nb::arg("progress").none() = nb::none(),
             nb::arg("cancellation").none() = nb::none(), nb::arg("threads") = 1,
             nb::arg("smallest_layer") = Request{}.smallest_layer,
             nb::arg("smallest_search") = Request{}.smallest_search, nb::arg("disk").none() = nb::none());
}

} // namespace beeline
