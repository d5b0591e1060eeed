// Programs that are searched on a device.
#include "bind/bytes.hpp"
#include "bind/register.hpp"
#include "gpu/host_twin.hpp"
#include "gpu/source.hpp"
#include "heuristic/estimator.hpp"
#include "search/outcome.hpp"

#include <cstring>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>
#include <utility>

namespace nb = nanobind;

namespace beeline {

namespace {

std::vector<Word> words_of(const nb::bytes& bytes) {
    std::vector<Word> words(bytes.size() / sizeof(Word));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(Word));
    return words;
}

nb::tuple expand(HostTwin& twin, const nb::bytes& states) {
    const HostTwin::Steps steps = twin.expand(words_of(states));
    return nb::make_tuple(bytes_of(steps.targets), steps.counts, steps.errors, steps.marks);
}

std::pair<std::string, std::string> source(const HostTwin& twin, const Lookup* lookup) {
    const DeviceSource source = device_source(twin.program(), lookup);
    return {source.numbers, source.steps};
}

// What a search outside of this module found.
Outcome make_outcome(const std::string& status, std::uint32_t found, const nb::dict& counts, double seconds,
                     const std::vector<std::pair<std::uint32_t, std::vector<Word>>>& path, std::uint32_t error_action,
                     std::uint32_t error_detail, bool proven, std::int64_t cycle) {
    const std::pair<const char*, Status> names[] = {{"exhausted", Status::kExhausted},
                                                    {"found", Status::kFound},
                                                    {"time", Status::kTime},
                                                    {"memory", Status::kMemory},
                                                    {"states", Status::kStates},
                                                    {"depth", Status::kDepth},
                                                    {"gave up", Status::kGaveUp},
                                                    {"interrupted", Status::kInterrupted},
                                                    {"disk", Status::kDisk}};
    Outcome outcome;
    for (const auto& [name, value] : names) {
        outcome.status = status == name ? value : outcome.status;
    }
    if (outcome.status == Status::kRunning) {
        throw std::invalid_argument("there is no such end of a search");
    }
    outcome.found = found;
    Statistics& all = outcome.statistics;
    const std::pair<const char*, std::uint64_t*> fields[] = {
        {"stored", &all.stored},       {"expanded", &all.expanded},
        {"generated", &all.generated}, {"deadlocks", &all.deadlocks},
        {"errors", &all.errors},       {"goals", &all.goals},
        {"transient", &all.transient}, {"depth", &all.depth},
        {"memory", &all.memory},       {"frontier", &all.frontier},
        {"reopened", &all.reopened},   {"evaluated", &all.evaluated},
        {"dead_ends", &all.dead_ends}, {"disk", &all.disk},
        {"disk_read", &all.disk_read}, {"disk_written", &all.disk_written}};
    for (const auto& [name, field] : fields) {
        if (counts.contains(name)) {
            *field = nb::cast<std::uint64_t>(counts[name]);
        }
    }
    all.seconds = seconds;
    for (const auto& [action, state] : path) {
        outcome.path.words = state.size();
        outcome.path.append(action, state.data());
    }
    outcome.words = outcome.path.words;
    outcome.error_action = error_action;
    outcome.error_detail = error_detail;
    outcome.proven = proven;
    outcome.cycle = cycle;
    return outcome;
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    nb::exception<LayoutChanged>(module, "LayoutChanged");
    nb::class_<Lookup>(module, "Lookup", "A heuristic that a device can compute.")
        .def(
            "__init__",
            [](Lookup* self, const Estimator& estimator) {
                new (self) Lookup;
                if (estimator.add_to(*self) < 0 || !is_for_devices(*self)) {
                    throw nb::value_error("the heuristic cannot be looked up");
                }
            },
            nb::arg("estimator"))
        .def_prop_ro("table", [](const Lookup& lookup) {
            return nb::bytes(lookup.table.data(), lookup.table.size() * sizeof(lookup.table[0]));
        });
    nb::class_<HostTwin>(module, "HostTwin", "The host's side of a program that is searched on a device.")
        .def(nb::init<std::shared_ptr<const Program>>(), nb::arg("program"))
        .def("sample", &HostTwin::sample, nb::arg("states"), nb::call_guard<nb::gil_scoped_release>(),
             "Learns values from so many states, and chooses a layout; whether there are no more states.")
        .def("widen", &HostTwin::widen, nb::arg("values"), "Makes room for values, by cell.")
        .def_prop_ro("words", [](const HostTwin& twin) { return twin.program().words; })
        .def_prop_ro("key_bits", [](const HostTwin& twin) { return key_bits(twin.program()); })
        .def("source", &source, nb::arg("lookup").none() = nb::none(),
             "Source text for the device: numbers, and functions; with the heuristic that lookups make.")
        .def("expand", &expand, nb::arg("states"),
             nb::sig("def expand(self, states: bytes) -> tuple[bytes, list[int], list[int], list[int]]"),
             "All targets of states; and for each state how many, how many steps that fail, and its marks.")
        .def(
            "to_device", [](HostTwin& twin, const std::vector<Word>& state) { return bytes_of(twin.to_device(state)); },
            nb::arg("state"), "A state in the layout of the device.");
    module.attr("NARROW") = HostTwin::kNarrow;
    module.attr("PAIR") = HostTwin::kPair;
    module.def("not_for_devices", &not_for_devices, nb::arg("program"),
               "Why a program cannot be searched on a device; empty if it can.");
    module.def("make_outcome", &make_outcome, nb::kw_only(), nb::arg("status"), nb::arg("found"), nb::arg("counts"),
               nb::arg("seconds"), nb::arg("path"), nb::arg("error_action") = 0, nb::arg("error_detail") = 0,
               nb::arg("proven") = false, nb::arg("cycle") = -1, "The outcome of a search that ran elsewhere.");
}

} // namespace beeline
