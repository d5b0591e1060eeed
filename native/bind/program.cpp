// Compiled networks.
#include "vm/program.hpp"
#include "bind/read_tables.hpp"
#include "bind/register.hpp"
#include "search/outcome.hpp"
#include "space/space.hpp"

#include <map>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {

Tables read_tables(const nb::dict& given) {
    using Row = std::vector<std::int32_t>;
    Tables tables;
    for (const auto& [key, value] : given) {
        std::string name;
        if (!nb::try_cast(key, name)) {
            throw nb::type_error("the names of tables must be texts");
        }
        std::int32_t number = 0;
        Row list;
        std::vector<Row> rows;
        if (nb::try_cast(value, number)) {
            tables.numbers[name] = number;
            continue;
        }
        const bool is_list = nb::try_cast(value, list);
        const bool is_rows = nb::try_cast(value, rows);
        if (!is_list && !is_rows) {
            throw std::invalid_argument("table '" + name + "' holds something else than 32-bit numbers");
        }
        if (is_list) {
            tables.lists[name] = std::move(list);
        }
        if (is_rows) {
            tables.rows[name] = std::move(rows);
        }
    }
    return tables;
}

namespace {

std::vector<std::int32_t> unpack(const Program& program, const std::vector<Word>& words) {
    if (words.size() != program.words) {
        throw std::invalid_argument("a state of this program has another number of words");
    }
    std::vector<std::int32_t> cells(program.initial);
    program.unpack(words.data(), cells.data());
    return cells;
}

// What step `i` of a path changed: (cell, new value), so that following a path takes as long as its changes.
std::vector<std::pair<std::int32_t, std::int32_t>> changed_cells(const Program& program, const Outcome& outcome,
                                                                 std::size_t i) {
    const Path& path = outcome.path;
    if (i == 0 || i >= path.size() || path.words < program.words) {
        throw std::invalid_argument("there is no such step, or it is none of this program");
    }
    const Word* before = path.state(i - 1);
    const Word* after = path.state(i);
    std::vector<std::pair<std::int32_t, std::int32_t>> changes;
    for (const Packing& place : program.packed_cells) {
        const Word old = (before[place.word] >> place.shift) & place.mask;
        const Word now = (after[place.word] >> place.shift) & place.mask;
        if (old != now) {
            changes.emplace_back(place.cell, static_cast<std::int32_t>(static_cast<std::uint32_t>(place.low) + now));
        }
    }
    return changes;
}

std::vector<Word> pack(const Program& program, const std::vector<std::int32_t>& cells) {
    if (cells.size() != program.low.size()) {
        throw std::invalid_argument("a state of this program has another number of cells");
    }
    program.check_cells(cells.data());
    std::vector<Word> words(program.words);
    program.pack(cells.data(), words.data());
    return words;
}

} // namespace

BEELINE_BIND(kTables, module) {
    nb::class_<Program>(module, "Program", "A compiled network, checked when it is made.")
        .def(
            "__init__", [](Program* self, const nb::dict& tables) { new (self) Program(read_tables(tables)); },
            nb::arg("tables"))
        .def("unpack", &unpack, nb::arg("words"), "The cell values of a packed state.")
        .def("changed_cells", &changed_cells, nb::arg("outcome"), nb::arg("step"),
             "The cells that a step of a path changed, each with its new value.")
        .def("pack", &pack, nb::arg("cells"), "The packed state of cell values.")
        .def_ro("words", &Program::words, "32-bit words of a packed state.");
    module.def(
        "opcodes",
        [] {
            std::map<std::string, std::int32_t> codes;
            for (std::size_t i = 0; i < op_table().size(); ++i) {
                codes[op_table()[i].name] = static_cast<std::int32_t>(i);
            }
            return codes;
        },
        "The machine's instructions and their numbers.");
}

} // namespace beeline
