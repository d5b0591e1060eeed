// The steps of one process, and the values of expressions, with the cells that finding them out reads.
#include "program/program_space.hpp"

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

LocalSteps ProgramSpace::local_steps(const Word* state, std::int32_t pid, bool timeout) {
    SuccessorBuffer arcs(words());
    LocalSteps found;
    begin_following(state, arcs);
    touch_process(pid);
    std::int32_t& waits = machine_.cells[at(program_->timeout_cell)];
    waits = timeout ? 1 : 0;
    if (place(pid) != nullptr) {
        begun_by(pid, [&](const Candidate& candidate) {
            waits = 0; // what a step arrives at is judged without it
            follow(candidate, found);
            waits = timeout ? 1 : 0;
            return true;
        });
    }
    waits = 0;
    end_following(found.reads);
    return found;
}

LocalSteps ProgramSpace::local_monitor_moves(const Word* state, bool timeout) {
    SuccessorBuffer arcs(words());
    LocalSteps found;
    begin_following(state, arcs);
    touched_.add(program_->monitor_cell);
    std::int32_t& waits = machine_.cells[at(program_->timeout_cell)];
    waits = timeout ? 1 : 0;
    const MonitorRow& row = program_->monitor[at(value_in_base(program_->monitor_cell))];
    const auto first_action = static_cast<std::uint32_t>(program_->edges.size() + 1);
    for (std::int32_t i = row.first_edge; row.end == 0 && i < row.first_edge + row.edges; ++i) {
        const MonitorEdge& edge = program_->monitor_edges[at(i)];
        if (!found.steps.empty() && edge.rank != program_->monitor_edges[at(i - 1)].rank) {
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
            step.marks = program_->monitor[at(edge.target)].end != 0 ? kGoal : kNone;
            step.writes.emplace_back(program_->monitor_cell, edge.target);
        }
        found.steps.push_back(std::move(step));
        machine_.undo(0);
    }
    waits = 0;
    end_following(found.reads);
    return found;
}

ProgramSpace::LocalValue ProgramSpace::local_value(const Word* state, std::int32_t block) {
    SuccessorBuffer arcs(words());
    LocalValue found;
    begin_following(state, arcs);
    found.failed = machine_.run(block) == Machine::kFailed;
    found.value = machine_.value;
    end_following(found.reads);
    return found;
}

// All that happens after a step, whatever its edges are, depends on who is in control. Scratch variables have their
// first values wherever nobody is.
void ProgramSpace::begin_following(const Word* state, SuccessorBuffer& arcs) {
    load(state);
    base_ = {loaded_.data(), loaded_sum_, 0, false};
    out_ = &arcs;
    arrived_ = 0;
    origin_goal_ = inside_run_ = false;
    unpack();
    touched_.begin(program_->state_cells);
    machine_.touched = &touched_;
    follows_ = true;
    touched_.add(program_->control);
    for (const auto& row : program_->hidden) {
        touched_.add(row[0]);
    }
}

void ProgramSpace::end_following(std::vector<std::int32_t>& reads) {
    follows_ = false;
    machine_.touched = nullptr;
    reads = touched_.reads();
    unload();
}

// Takes one step of the state that is followed. Of what it writes, cells that were read and keep their value are left
// out; whether one was read is known when all steps have been taken, so that this is decided by those who use it.
void ProgramSpace::follow(const Candidate& candidate, LocalSteps& found) {
    const bool prioritised = (program_->flags & (kPriorities | kChannelPriorities)) != 0;
    for (std::size_t i = 0; prioritised && i < candidate.parts; ++i) {
        touched_.add(program_->processes[at(parts_[candidate.first_part + i].pid)].priority);
    }
    LocalStep step{0, kNone, 0, passes_committed(candidate), priority(candidate), {}};
    const std::size_t before = out_->size();
    take(candidate);
    if (out_->size() > before) {
        const SuccessorBuffer::Arc& arc = out_->arc(before);
        step.action = arc.action;
        step.marks = arc.marks;
        step.detail = arc.detail;
        if ((arc.marks & kError) == 0) {
            note_writes(out_->state(before), step);
        }
        found.steps.push_back(std::move(step));
    }
    touched_.begin_step(); // what it wrote has been taken back
}

// What changed is written, too, whoever forgot to tell.
void ProgramSpace::note_writes(const Word* target, LocalStep& step) {
    for (const Packing& place : program_->packed_cells) {
        if (place.value(target) != place.value(base_.words)) {
            touched_.write(place.cell);
        }
    }
    for (const std::int32_t cell : touched_.writes()) {
        if (program_->packing[at(cell)].mask != 0) {
            step.writes.emplace_back(cell, program_->packing[at(cell)].value(target));
        }
    }
}

// Tests are asked one after the other, up to the first that does not hold.
void ProgramSpace::touch_guard(std::int32_t index) {
    const EdgePlan& plan = plan_->edges[at(index)];
    bool holds = plan.guard < 0; // a block tells by itself what it reads
    for (std::int32_t i = plan.first_test; holds && i < plan.first_test + plan.tests; ++i) {
        const Test& test = plan_->tests[at(i)];
        touched_.add(test.left);
        touched_.add(test.right);
        holds = test.holds(machine_.cells.data());
    }
}

// `cell` is the one that it writes.
void ProgramSpace::touch_assignment(const Assignment& one, std::int32_t cell) {
    if (one.extent != 0) {
        touched_.add(one.index);
    }
    touched_.add(one.left);
    touched_.add(one.right);
    touched_.write(cell);
}

// The messages that are there.
void ProgramSpace::touch_messages(const ChannelPlace& channel) const {
    if (follows_) {
        machine_.touched->add_range(channel.base, machine_.length(channel) * channel.fields);
    }
}

} // namespace beeline
