#include "gpu/monitor_writer.hpp"

#include "vm/at.hpp"

#include <vector>

namespace beeline {

namespace {

std::string list(const std::vector<std::int32_t>& values) {
    std::string text;
    for (const std::int32_t value : values) {
        text += say(value, ", ");
    }
    return say("{", text, "0}"); // never empty
}

} // namespace

std::string MonitorWriter::write() {
    std::string functions, cases;
    for (std::size_t i = 0; i < program_.monitor.size(); ++i) {
        const MonitorRow& row = program_.monitor[i];
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            const MonitorEdge& move = program_.monitor_edges[at(edge)];
            functions += move.guard >= 0 ? moves_.question(move.guard, say("sees_", edge)) : "";
            functions += move.effect >= 0 ? moves_.trial(move.effect, say("tries_", edge)) : "";
        }
        const std::string text = moves_of(row);
        cases += text.empty() ? "" : say("  case ", i, ":\n", text, "    return YES;\n");
    }
    const PackedDialect& dialect = moves_.dialect();
    const bool watched = program_.monitor_cell >= 0;
    const std::string here = watched ? dialect.value(program_.monitor_cell) : "0";
    const std::string put = watched ? dialect.put(program_.monitor_cell, "to", "return LEFT;") : "";
    return say(functions, tables(),
               "STEP int watch(const State& t, const int32_t timeout, uint64_t& moves, uint64_t& ends, uint32_t& "
               "failed) {\n  int r = NO; bool any = false; (void)r; (void)any; (void)t; (void)timeout;\n  moves = "
               "ends = 0; failed = 0;\n  switch (",
               here, ") {\n", cases, "  default: return NO;\n  }\n}\n",
               "STEP int move_monitor(State& t, const uint32_t number, const bool rests) {\n  int32_t to = "
               "monitor_target[monitor_first[",
               here, "] + number];\n  if (rests) to = monitor_halted[to];\n  ", put, "\n  (void)t;\n  return YES;\n}\n",
               "STEP bool is_watched_to_the_end(const State& t) { (void)t; return ", is_at(&MonitorRow::end), "; }\n",
               accepting());
}

// As MonitorMoves::write_moves: those of the first rank of which some are possible.
std::string MonitorWriter::moves_of(const MonitorRow& row) {
    std::string text;
    for (std::int32_t i = 0; i < row.edges; ++i) {
        const std::int32_t number = row.first_edge + i;
        const MonitorEdge& edge = program_.monitor_edges[at(number)];
        if (i > 0 && edge.rank != program_.monitor_edges[at(number - 1)].rank) {
            text += "    if (any) return YES;\n";
        }
        text += edge.guard >= 0 ? say("    r = sees_", number, "(t, timeout);\n") : "    r = YES;\n";
        text += edge.effect >= 0 ? say("    if (r > 0) r = tries_", number, "(t);\n") : "";
        const char* const kind = program_.monitor[at(edge.target)].end != 0 ? "ends" : "moves";
        text += say(
            "    if (r == LEFT) return LEFT;\n    any = any || r != NO;\n    failed += r == FAILED;\n    if (r > 0) ",
            kind, " |= 1ull << ", i, ";\n");
    }
    return text;
}

std::string MonitorWriter::tables() const {
    std::vector<std::int32_t> first, halted, target;
    for (const MonitorRow& row : program_.monitor) {
        first.push_back(row.first_edge);
        halted.push_back(row.halted);
    }
    for (const MonitorEdge& edge : program_.monitor_edges) {
        target.push_back(edge.target);
    }
    return say("CONSTANT int32_t monitor_first[] = ", list(first),
               ";\nCONSTANT int32_t monitor_halted[] = ", list(halted),
               ";\nCONSTANT int32_t monitor_target[] = ", list(target), ";\n");
}

std::string MonitorWriter::is_at(std::int32_t MonitorRow::* mark) const {
    std::vector<std::uint8_t> marked;
    for (const MonitorRow& row : program_.monitor) {
        marked.push_back(row.*mark != 0);
    }
    return program_.monitor_cell < 0 ? "false"
                                     : moves_.dialect().is_among(marked, moves_.dialect().value(program_.monitor_cell));
}

// As is_accepting in program/accepting.hpp.
std::string MonitorWriter::accepting() const {
    const PackedDialect& dialect = moves_.dialect();
    std::string text = is_at(&MonitorRow::accept);
    for (const Body& body : program_.bodies) {
        std::vector<std::uint8_t> labels;
        for (std::int32_t i = 0; i < body.locations; ++i) {
            labels.push_back((program_.plan.locations[at(body.first_location + i)].flags & kAcceptLabel) != 0);
        }
        const ProcessPlace& place = program_.processes[at(body.number)];
        const std::string there = dialect.is_among(labels, dialect.value(place.location));
        if ((program_.flags & kSeeksLabels) != 0 && there != "0") {
            text += say(" || (", dialect.value(place.tag), " == ", body.kind + 1, " && ", there, ")");
        }
    }
    return say("STEP bool is_accepting(const State& t) { (void)t; return control_of(t) < 0 && (", text, "); }\n");
}

} // namespace beeline
