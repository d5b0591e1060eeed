#include "program/monitor_moves.hpp"

#include "state/hash.hpp"
#include "vm/at.hpp"

namespace beeline {

// As arcs to the state in which the monitor alone has moved, remembered like the steps of a process.
bool MonitorMoves::find(bool timeout) {
    SuccessorBuffer& out = arcs_.out();
    moves_.clear();
    const std::size_t first = out.size();
    remembered_.monitor_moves(here(), timeout, [this] { write_moves(); });
    const std::size_t end = out.size();
    std::size_t kept = first;
    for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t marks = out.arc(i).marks;
        if ((marks & (kGoal | kError)) != 0) {
            out.copy(i, kept++);
        } else {
            moves_.push_back({program_->packing[at(program_->monitor_cell)].value(out.state(i)), marks});
        }
    }
    out.cut(kept);
    return end > first;
}

void MonitorMoves::write_moves() {
    const std::size_t first = arcs_.out().size();
    const auto first_action = static_cast<std::uint32_t>(program_->edges.size() + 1);
    const MonitorRow& row = program_->monitor[at(here())];
    for (std::int32_t i = row.first_edge; i < row.first_edge + row.edges; ++i) {
        const MonitorEdge& edge = program_->monitor_edges[at(i)];
        if (arcs_.out().size() > first && edge.rank != program_->monitor_edges[at(i - 1)].rank) {
            break;
        }
        const Machine::Result result = machine_.run_if_any(edge.guard);
        if (result == Machine::kFalse) {
            continue;
        }
        const std::uint32_t action = first_action + static_cast<std::uint32_t>(i);
        if (result == Machine::kFailed || machine_.run_if_any(edge.effect) == Machine::kFailed) {
            arcs_.write_failed(action);
        } else {
            machine_.set(program_->monitor_cell, edge.target);
            const std::uint32_t ends = program_->monitor[at(edge.target)].end != 0 ? kGoal : kNone;
            arcs_.write(action, ends | static_cast<std::uint32_t>(edge.sets) << kFirstSet, 0);
            machine_.undo(0);
        }
    }
}

void MonitorMoves::move_alone() {
    for (const Move& move : moves_) {
        machine_.set(program_->monitor_cell, program_->monitor[at(move.target)].halted);
        const std::uint32_t marks = (arcs_.origin_goal ? kGoal : kNone) | move.sets;
        arcs_.write(static_cast<std::uint32_t>(program_->edges.size()), marks, 0);
        machine_.undo(0);
    }
}

void MonitorMoves::move_along(std::size_t first) {
    SuccessorBuffer& out = arcs_.out();
    const std::size_t end = out.size();
    if (moves_.empty()) {
        return out.cut(first);
    }
    const Packing& place = program_->packing[at(program_->monitor_cell)];
    const auto put = [&](std::size_t arc, const Move& move) {
        out.arc(arc).marks |= move.sets;
        const std::int32_t location = move.target;
        if ((out.arc(arc).marks & kError) != 0 || place.value(out.state(arc)) == location) {
            return;
        }
        if (!place.holds(location)) [[unlikely]] {
            throw TooNarrow{program_->monitor_cell, location};
        }
        place.put(out.state(arc), location);
        out.set_hash(arc, hash_words(out.state(arc), program_->words));
    };
    for (std::size_t move = 1; move < moves_.size(); ++move) {
        for (std::size_t arc = first; arc < end; ++arc) {
            const SuccessorBuffer::Arc one = out.arc(arc);
            out.add(one.action, one.marks, one.detail);
            out.copy(arc, out.size() - 1);
            put(out.size() - 1, moves_[move]);
        }
    }
    for (std::size_t arc = first; arc < end; ++arc) {
        put(arc, moves_[0]);
    }
}

} // namespace beeline
