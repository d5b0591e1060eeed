// The watchdog as Python uses it: what it asks of a thread is an exception there.
#include "watch/watchdog.hpp"
#include "bind/register.hpp"

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pthread.h>
#include <signal.h>

namespace nb = nanobind;

namespace beeline {
namespace {

class PythonWatchdog {
public:
    // In Python's main thread a signal, whose handler raises, also ends waiting; elsewhere Python raises by itself.
    PythonWatchdog(nb::object exception, std::optional<int> signal)
        : exception_(std::move(exception)), signal_(signal), thread_(PyThread_get_thread_ident()),
          target_(pthread_self()), watchdog_([this] { raise(); }) {}
    ~PythonWatchdog() { stop(); }

    Watchdog& watchdog() { return watchdog_; }

    // Afterwards no exception is on its way.
    void stop() {
        {
            const nb::gil_scoped_release unlocked; // the other thread may be waiting for it
            watchdog_.stop();
        }
        if (asked_) {
            PyThreadState_SetAsyncExc(thread_, nullptr);
        }
    }

private:
    void raise() {
        if (signal_) {
            pthread_kill(target_, *signal_);
            return;
        }
        const nb::gil_scoped_acquire lock;
        asked_ = true;
        PyThreadState_SetAsyncExc(thread_, exception_.ptr());
    }

    nb::object exception_;
    std::optional<int> signal_;
    unsigned long thread_;
    pthread_t target_;
    bool asked_ = false; // under the interpreter lock
    Watchdog watchdog_;
};

Bounds bounds_of(std::optional<double> seconds, std::optional<std::size_t> memory) {
    Bounds bounds;
    bounds.seconds = seconds.value_or(bounds.seconds);
    bounds.memory = memory.value_or(bounds.memory);
    return bounds;
}

const char* name_of(Cause cause) {
    switch (cause) {
    case Cause::kTime:
        return "time limit";
    case Cause::kMemory:
        return "memory limit";
    case Cause::kSignal:
        return "interrupted";
    case Cause::kNone:
        break;
    }
    return "";
}

} // namespace

BEELINE_BIND(kTypes, module) {
    nb::class_<PythonWatchdog>(module, "Watchdog",
                               "Raises an exception in the thread that made it when bounds are passed, and can end a "
                               "process that does not heed it.")
        .def(nb::init<nb::object, std::optional<int>>(), nb::arg("exception"), nb::arg("signal").none() = nb::none())
        .def(
            "ask_at",
            [](PythonWatchdog& self, std::optional<double> seconds, std::optional<std::size_t> memory) {
                self.watchdog().ask_at(bounds_of(seconds, memory));
            },
            nb::kw_only(), nb::arg("seconds").none(), nb::arg("memory").none(),
            "Seconds from now, or bytes of the process, at which the exception is raised.")
        .def(
            "end_at",
            [](PythonWatchdog& self, std::optional<double> seconds, std::optional<std::size_t> memory,
               double after_signal) { self.watchdog().end_at(bounds_of(seconds, memory), after_signal); },
            nb::kw_only(), nb::arg("seconds").none(), nb::arg("memory").none(), nb::arg("after_signal"),
            "When the process is ended.")
        .def(
            "set_last_words",
            [](PythonWatchdog& self, std::string before, std::string after, int status) {
                self.watchdog().set_last_words({std::move(before), std::move(after), status});
            },
            nb::arg("before"), nb::arg("after"), nb::arg("status"),
            "What a process that is ended says around the reason, and its exit status.")
        .def(
            "set_phase", [](PythonWatchdog& self, std::string phase) { self.watchdog().set_phase(std::move(phase)); },
            nb::arg("phase"))
        .def(
            "heard", [](PythonWatchdog& self) { self.watchdog().heard(); },
            "The exception is not raised again for a while.")
        .def("stop", &PythonWatchdog::stop, "No exception comes afterwards.")
        .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
        .def("__exit__", [](PythonWatchdog& self, nb::args) { self.stop(); })
        .def_prop_ro(
            "cause", [](PythonWatchdog& self) { return name_of(self.watchdog().cause()); },
            "Which bound was passed; empty if none was.")
        .def_prop_ro(
            "signals", [](PythonWatchdog& self) { return self.watchdog().signals(); },
            "Where the numbers of signals are written (signal.set_wakeup_fd).");
}

} // namespace beeline
