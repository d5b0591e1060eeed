#include "program/local_steps.hpp"

namespace beeline {

LocalSteps LocalStepFinder::steps_of(std::int32_t pid, bool timeout) {
    SuccessorBuffer out(program().words);
    LocalSteps found;
    begin(out);
    finder_.touch_process(pid);
    std::int32_t& waits = machine_.cells[at(program().timeout_cell)];
    waits = timeout ? 1 : 0;
    if (finder_.place(pid) != nullptr) {
        finder_.begun_by(pid, [&](const Candidate& candidate) {
            waits = 0; // what a step arrives at is judged without it
            follow(candidate, found);
            waits = timeout ? 1 : 0;
            return true;
        });
    }
    waits = 0;
    found.reads = end();
    return found;
}

LocalSteps LocalStepFinder::monitor_moves(bool timeout) {
    SuccessorBuffer out(program().words);
    LocalSteps found;
    begin(out);
    touched_.add(program().monitor_cell);
    std::int32_t& waits = machine_.cells[at(program().timeout_cell)];
    waits = timeout ? 1 : 0;
    const MonitorRow& row = program().monitor[at(loaded_.value(program().monitor_cell))];
    const auto first_action = static_cast<std::uint32_t>(program().edges.size() + 1);
    for (std::int32_t i = row.first_edge; row.end == 0 && i < row.first_edge + row.edges; ++i) {
        const MonitorEdge& edge = program().monitor_edges[at(i)];
        if (!found.steps.empty() && edge.rank != program().monitor_edges[at(i - 1)].rank) {
            break;
        }
        const Machine::Result result = machine_.run_if_any(edge.guard);
        if (result == Machine::kFalse) {
            continue;
        }
        const bool failed = result == Machine::kFailed || machine_.run_if_any(edge.effect) == Machine::kFailed;
        LocalStep step{first_action + static_cast<std::uint32_t>(i), kNone, 0, true, 0, {}};
        if (failed) {
            step.marks = kError;
            step.detail = static_cast<std::uint32_t>(machine_.error) + 1;
        } else {
            step.marks = program().monitor[at(edge.target)].end != 0 ? kGoal : kNone;
            step.writes.emplace_back(program().monitor_cell, edge.target);
        }
        found.steps.push_back(std::move(step));
        machine_.undo(0);
    }
    waits = 0;
    found.reads = end();
    return found;
}

LocalValue LocalStepFinder::value_of(std::int32_t block) {
    SuccessorBuffer out(program().words);
    LocalValue found;
    begin(out);
    found.failed = machine_.run(block) == Machine::kFailed;
    found.value = machine_.value;
    found.reads = end();
    return found;
}

// All that happens after a step, whatever its edges are, depends on who is in control. Scratch variables have their
// first values wherever nobody is.
void LocalStepFinder::begin(SuccessorBuffer& out) {
    arcs_.begin(loaded_.words(), loaded_.sum(), out);
    arcs_.origin_goal = false;
    loaded_.unpack();
    touched_.begin(program().state_cells, true);
    machine_.touched = &touched_;
    touched_.add(program().control);
    for (const auto& row : program().hidden) {
        touched_.add(row[0]);
    }
}

std::vector<std::int32_t> LocalStepFinder::end() {
    machine_.touched = nullptr;
    loaded_.unload();
    return touched_.reads();
}

// Takes one step of the state that is followed. Of what it writes, cells that were read and keep their value are left
// out; whether one was read is known when all steps have been taken, so that this is decided by those who use it.
void LocalStepFinder::follow(const Candidate& candidate, LocalSteps& found) {
    const bool prioritised = (program().flags & (kPriorities | kChannelPriorities)) != 0;
    for (std::size_t i = 0; prioritised && i < candidate.parts; ++i) {
        touched_.add(program().processes[at(finder_.parts(candidate)[i].pid)].priority);
    }
    LocalStep step{0, kNone, 0, finder_.passes_committed(candidate), finder_.priority(candidate), {}};
    const SuccessorBuffer& out = arcs_.out();
    const std::size_t before = out.size();
    taker_.take(candidate);
    if (out.size() > before) {
        const SuccessorBuffer::Arc& arc = out.arc(before);
        step.action = arc.action;
        step.marks = arc.marks;
        step.detail = arc.detail;
        if ((arc.marks & kError) == 0) {
            note_writes(out.state(before), step);
        }
        found.steps.push_back(std::move(step));
    }
    touched_.begin_step(); // what it wrote has been taken back
}

// What changed is written, too, whoever forgot to tell.
void LocalStepFinder::note_writes(const Word* target, LocalStep& step) {
    for (const Packing& place : program().packed_cells) {
        if (place.value(target) != place.value(loaded_.words())) {
            touched_.write(place.cell);
        }
    }
    for (const std::int32_t cell : touched_.writes()) {
        if (program().packing[at(cell)].mask != 0) {
            step.writes.emplace_back(cell, program().packing[at(cell)].value(target));
        }
    }
}

} // namespace beeline
