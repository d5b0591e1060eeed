// The zone graphs of compiled networks with clocks.
#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "search/inevitable.hpp"
#include "search/larger_first.hpp"
#include "search/soonest_first.hpp"
#include "zone/timed_space.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace beeline {
namespace {

using Rows = std::map<std::string, std::vector<std::vector<std::int32_t>>>;
using Numbers = std::map<std::string, std::int32_t>;

void make_space(TimedSpace* self, std::shared_ptr<const Program> program, const Rows& rows, const Numbers& numbers) {
    Tables tables;
    tables.rows = rows;
    tables.numbers = numbers;
    auto clocks = std::make_shared<const ClockTables>(tables, *program);
    new (self) TimedSpace(std::move(program), std::move(clocks));
}

void check_words(TimedSpace& space, const std::vector<Word>& state) {
    if (state.size() != space.words()) {
        throw std::invalid_argument("a state of this space has another number of words");
    }
    space.check_state(state.data());
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<TimedSpace> cls(module, "TimedSpace", "The zone graph of a compiled network with clocks.");
    cls.def("__init__", &make_space, nb::arg("program"), nb::arg("rows"), nb::arg("numbers"))
        .def("fold", &TimedSpace::fold, nb::arg("symmetry"), "Hands out representatives of states from now on.")
        .def("edges_of", &TimedSpace::edges_of, nb::arg("action"),
             "The edges that an action stands for, as positions in the program's table.");
    nb::exception<zone::Crowded>(module, "Crowded", PyExc_ValueError);
    cls.def("make_room", &TimedSpace::make_room,
            "Gives states words for twice as many clocks. A search that raised Crowded has to begin anew.");
    cls.def(
        "bounds",
        [](TimedSpace& space, const std::vector<Word>& state) {
            const Busy<TimedSpace> busy(space);
            check_words(space, state);
            return space.bounds(state.data());
        },
        nb::arg("state"), "A state's zone, row by row: the bounds on differences of all clocks.");
    cls.def(
        "parts_by_deadlock",
        [](TimedSpace& space, const std::vector<Word>& state, bool dead) {
            const Busy<TimedSpace> busy(space);
            check_words(space, state);
            return space.parts_by_deadlock(state.data(), dead);
        },
        nb::arg("state"), nb::arg("dead"),
        "The parts of a state's zone that are deadlocked, or those that are not, as rows of bounds.");
    cls.def(
        "extents",
        [](const TimedSpace& space) {
            std::vector<std::tuple<bool, bool, bool, std::int32_t, std::int32_t>> found;
            for (const Extent& extent : space.extents()) {
                found.emplace_back(extent.seen, extent.endless, extent.failed, extent.least, extent.greatest);
            }
            return found;
        },
        "For each measure: whether it was seen, grows for ever, had no value; its least and greatest value, or "
        "bounds.");
    cls.def(
        "endings",
        [](TimedSpace& space, const std::vector<Word>& state) {
            const Busy<TimedSpace> busy(space);
            check_words(space, state);
            return space.endings(state.data());
        },
        nb::arg("state"), "The parts of a state's zone in which a confined run may stay, as rows of bounds.");
    cls.def("inevitable", &search_unlocked<Inevitable, TimedSpace, bool>, nb::arg("request"), nb::arg("everywhere"),
            "Looks for a run that avoids for ever what the tables say, from the start, or from every premise.");
    cls.def("larger_first", &search_unlocked<LargerFirst, TimedSpace>, nb::arg("request"),
            "Explores larger zones first, in the order of the processes' progress.");
    cls.def("soonest_first", &search_unlocked<SoonestFirst, TimedSpace>, nb::arg("request"),
            "Finds what comes soonest. Only for tables with a clock that tells the time.");
    cls.def(
        "soonest_goal",
        [](TimedSpace& space, const std::vector<Word>& state) {
            const Busy<TimedSpace> busy(space);
            check_words(space, state);
            return space.soonest_goal(state.data());
        },
        nb::arg("state"),
        "Twice the earliest time at which the goal is met, one more if only later times are possible.");
    bind_searches(cls);
}

} // namespace beeline
