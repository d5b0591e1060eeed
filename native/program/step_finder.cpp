#include "program/step_finder.hpp"

#include <algorithm>

namespace beeline {

void StepFinder::clear() {
    parts_.cut(0);
    messages_.cut(0);
    choices_.cut(0);
    groups_.cut(0);
    chosen_.cut(0);
}

bool StepFinder::is_highest(std::int32_t pid) const {
    const std::size_t next = at(pid) + 1;
    if (next == program_->processes.size()) {
        return true;
    }
    if (machine_.touched != nullptr) {
        machine_.touched->add(program_->processes[next].tag);
    }
    return place(pid + 1) == nullptr;
}

Machine::Result StepFinder::run_guard(std::int32_t pid, const EdgePlan& plan) {
    Machine::Result result = holds(plan) ? Machine::kTrue : Machine::kFalse;
    if (plan.guard >= 0) {
        result = machine_.run(plan.guard);
    }
    if (plan.terminates && result == Machine::kTrue) {
        return is_highest(pid) ? Machine::kTrue : Machine::kFalse;
    }
    return result;
}

bool StepFinder::can_begin(std::int32_t pid) {
    return begun_by(pid, [](const Candidate&) { return false; });
}

// Whether a process of a higher priority can move, so that this one loses control.
bool StepFinder::is_outranked(std::int32_t pid) {
    if ((program_->flags & kPriorities) == 0) {
        return false;
    }
    const std::int32_t own = machine_.cells[at(program_->processes[at(pid)].priority)];
    if (machine_.tells_exactly()) {
        machine_.tell_everyone(false);
    }
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t other = 0; other < everyone; ++other) {
        if (machine_.tells_exactly()) {
            machine_.touched->add(program_->processes[at(other)].priority);
            touch_process(other);
        }
        if (machine_.cells[at(program_->processes[at(other)].priority)] > own && can_begin(other)) {
            return true;
        }
    }
    return false;
}

bool StepFinder::begun_by(std::int32_t pid, Visit visit) {
    const LocationPlan& here = location(pid);
    if (!may_begin(pid, here)) {
        return false;
    }
    if (!machine_.tells_exactly()) {
        touch_steps(here, false);
    }
    bool any = false;
    bool go_on = true;
    for (std::int32_t i = here.first_edge; go_on && i < here.end_edge; ++i) {
        // Edges stand in order of rank; once one of a rank is possible, higher ranks are not.
        if (any && plan_->edges[at(i)].rank != plan_->edges[at(i - 1)].rank) {
            break;
        }
        if (any && (program_->edges[at(i)].flags & kOtherwise) != 0) {
            continue;
        }
        any = of_edge(pid, i, visit, go_on) || any;
    }
    return any;
}

bool StepFinder::of_edge(std::int32_t pid, std::int32_t index, Visit visit, bool& go_on) {
    touch_guard(index);
    const Machine::Result result = guard(pid, plan_->edges[at(index)]);
    if (result == Machine::kFalse) {
        return false;
    }
    if (result == Machine::kTrue) {
        return synchronising(pid, index, visit, go_on);
    }
    const std::size_t first_part = parts_.size();
    parts_.push({pid, index});
    failing(first_part, messages_.size(), visit, go_on);
    parts_.cut(first_part);
    return true;
}

// The ways to take an edge whose guard holds.
bool StepFinder::synchronising(std::int32_t pid, std::int32_t index, Visit visit, bool& go_on) {
    const std::size_t first_part = parts_.size();
    const std::size_t message = messages_.size();
    parts_.push({pid, index});
    bool any = true;
    switch (static_cast<Sync>(plan_->edges[at(index)].sync)) {
    case Sync::None:
        go_on = visit(Candidate{first_part, 1, message, nullptr, 0, false});
        break;
    case Sync::Send:
        any = sending(index, visit, go_on);
        break;
    case Sync::Receive:
        any = receiving(index, visit, go_on);
        break;
    case Sync::Together:
        any = together(pid, index, visit, go_on);
        break;
    }
    parts_.cut(first_part);
    messages_.cut(message);
    return any;
}

bool StepFinder::failing(std::size_t first_part, std::size_t message, Visit visit, bool& go_on) {
    go_on = visit(Candidate{first_part, 1, message, nullptr, 0, true});
    return true;
}

bool StepFinder::rest_at_end() const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        if ((location(pid).flags & kEnd) == 0) {
            return false;
        }
    }
    return true;
}

// Preferences

bool StepFinder::preferred(Visit visit) {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    const bool committed = somebody_is_committed();
    const bool prioritised = (program_->flags & (kPriorities | kChannelPriorities)) != 0;
    std::int64_t best = INT64_MIN;
    for (std::int32_t pid = 0; prioritised && pid < everyone; ++pid) {
        begun_by(pid, [&](const Candidate& candidate) {
            if (!committed || passes_committed(candidate)) {
                best = std::max(best, priority(candidate));
            }
            return true;
        });
    }
    bool any = false;
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        begun_by(pid, [&](const Candidate& candidate) {
            if ((committed && !passes_committed(candidate)) || (prioritised && priority(candidate) != best)) {
                return true;
            }
            any = true;
            return visit(candidate);
        });
    }
    return any;
}

bool StepFinder::somebody_is_committed() const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; plan_->has_committed && pid < everyone; ++pid) {
        if (is_committed(pid)) {
            return true;
        }
    }
    return false;
}

// Beside a committed location: whether one of the partners is at such a location, or under another rule all are.
bool StepFinder::passes_committed(const Candidate& candidate) const {
    const bool all = (program_->flags & kCommittedTogether) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (is_committed(parts_[candidate.first_part + i].pid) != all) {
            return !all;
        }
    }
    return all;
}

// The channel's priority counts before that of the processes.
std::int64_t StepFinder::priority(const Candidate& candidate) const {
    const std::int64_t channel = candidate.channel == nullptr ? 0 : candidate.channel->priority;
    std::int64_t process = 0;
    if ((program_->flags & kPriorities) != 0) {
        for (std::size_t i = 0; i < candidate.parts; ++i) {
            const auto pid = at(parts_[candidate.first_part + i].pid);
            process = std::max<std::int64_t>(process, machine_.cells[at(program_->processes[pid].priority)]);
        }
    }
    return channel * (std::int64_t{1} << 32) + process;
}

// Noting what is looked at

void StepFinder::touch_process(std::int32_t pid) const {
    if (machine_.touched != nullptr) {
        machine_.touched->add(program_->processes[at(pid)].tag);
        machine_.touched->add(program_->processes[at(pid)].location);
    }
}

// What is looked at to find out what can be done at a location; with `gated`, only where an edge's gate lets through.
void StepFinder::touch_steps(const LocationPlan& here, bool gated) const {
    if (machine_.touched == nullptr) {
        return;
    }
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const Test& test = plan_->gates[at(i)].test;
        machine_.touched->add(test.left);
        machine_.touched->add(test.right);
        if (!gated || test.holds(machine_.cells.data())) {
            touch_edge(i);
        }
    }
}

// What an edge's guard, values and assignments touch, but for what blocks of code and channels do, which tell it
// themselves.
void StepFinder::touch_edge(std::int32_t index) const {
    if (machine_.touched == nullptr) {
        return;
    }
    Touched& touched = *machine_.touched;
    const EdgePlan& plan = plan_->edges[at(index)];
    touched.add(plan.location);
    for (std::int32_t i = plan.first_test; i < plan.first_test + plan.tests; ++i) {
        touched.add(plan_->tests[at(i)].left);
        touched.add(plan_->tests[at(i)].right);
    }
    for (std::int32_t i = 0; plan.first_source >= 0 && i < program_->edges[at(index)].values; ++i) {
        touched.add(plan_->sources[at(plan.first_source + i)]);
    }
    for (const EffectPlan* effect : {&plan.bind, &plan.effect}) {
        for (std::int32_t i = effect->first; effect->planned && i < effect->first + effect->count; ++i) {
            const Assignment& one = plan_->assignments[at(i)];
            touched.add(one.left);
            touched.add(one.right);
            one.extent == 0 ? touched.write(one.cell) : touched.add(one.index);
        }
    }
}

// Exactly: tests are asked one after the other, up to the first that does not hold.
void StepFinder::touch_guard(std::int32_t index) const {
    if (!machine_.tells_exactly()) {
        return;
    }
    const EdgePlan& plan = plan_->edges[at(index)];
    bool holds = plan.guard < 0; // a block tells by itself what it reads
    for (std::int32_t i = plan.first_test; holds && i < plan.first_test + plan.tests; ++i) {
        const Test& test = plan_->tests[at(i)];
        machine_.touched->add(test.left);
        machine_.touched->add(test.right);
        holds = test.holds(machine_.cells.data());
    }
}

// Exactly: the messages that are there.
void StepFinder::touch_messages(const ChannelPlace& channel) const {
    if (machine_.tells_exactly()) {
        machine_.touched->add_range(channel.base, machine_.length(channel) * channel.fields);
    }
}

} // namespace beeline
