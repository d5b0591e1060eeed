// Steps that need not be found again, and the cells that finding them looks at.
#include "program/program_space.hpp"

#include <utility>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

void ProgramSpace::forget_steps() {
    constexpr auto preferences = kPriorities | kChannelPriorities;
    remembers_ = may_remember_ && !plan_->has_committed && (program_->flags & preferences) == 0;
    known_.reset(plan_->locations.size() + 1 + program_->monitor.size(), plan_->processes.size() + 2);
}

// Steps inside a merged run are told under the action that began it, and where the origin is a goal, what differs from
// it in a few cells is one, too.
bool ProgramSpace::knows_steps() const {
    return remembers_ && !inside_run_ && !origin_goal_ && (native_ == nullptr || known_.pays());
}

// Whether the expanded state is a goal: a question like that for the steps of a process, at the last place of all.
bool ProgramSpace::starts_at_goal() {
    const std::size_t place = plan_->locations.size();
    if (remembers_) {
        StepCache::Entry entry = known_.again(0, changed_, base_.words);
        entry = entry != nullptr ? entry : known_.find(0, place, base_.words);
        if (entry != nullptr) {
            return StepCache::arrivals(entry) > 0;
        }
    }
    unpack();
    const bool notes = remembers_ && known_.is_useful(place);
    if (notes) {
        begin_touching();
    }
    const bool goal = machine_.run(program_->goal) != Machine::kFalse;
    machine_.touched = nullptr;
    if (notes) {
        known_.add(place, base_.words, touched_, *program_, *out_, out_->size(), goal ? 1 : 0);
    }
    return goal;
}

bool ProgramSpace::known_steps_of_all() {
    std::int32_t pid = 0;
    while (pid < everyone() && known_steps_of(pid)) {
        ++pid;
    }
    changed_ = 0;
    known_.count_state();
    return arrived_ > 0;
}

// False if there is no such process.
bool ProgramSpace::known_steps_of(std::int32_t pid) {
    const std::size_t asker = at(pid) + 1;
    StepCache::Entry entry = known_.again(asker, changed_, base_.words);
    if (entry == nullptr) {
        const ProcessPlan& process = plan_->processes[at(pid)];
        const std::int32_t first = plan_->first_locations[at(process.row + value_in_base(process.tag))];
        if (first < 0) {
            known_.end(asker);
            return false;
        }
        const std::size_t place = at(first + value_in_base(process.location));
        entry = known_.find(asker, place, base_.words);
        if (entry == nullptr) {
            find_steps_of(pid, place);
            return true;
        }
    }
    arrived_ += StepCache::arrivals(entry);
    StepCache::write(entry, base_.words, base_.sum, *out_);
    return true;
}

void ProgramSpace::find_steps_of(std::int32_t pid, std::size_t place) {
    known_.count_miss();
    unpack();
    const LocationPlan& here = plan_->locations[place];
    const bool stays = here.first_edge == here.end_edge;
    const std::size_t first = out_->size();
    const std::size_t arrived = arrived_;
    const bool left = std::exchange(left_, false);
    // What the runs of other processes came through must make no difference: they may not be able to run next time.
    const bool alone = held_.all_done();
    if (alone) {
        held_.clear(words());
    }
    const bool notes = alone && known_.is_useful(place);
    if (notes) {
        begin_touching();
        touch_process(pid);
    }
    if (!stays && may_begin(pid, here)) {
        steps_of(pid, here);
    }
    machine_.touched = nullptr;
    // Of runs that are put off, more steps are found later.
    if (notes && !left_ && held_.all_done() && held_.size() < kLongestRun) {
        known_.add(place, base_.words, touched_, *program_, *out_, first, arrived_ - arrived);
    }
    left_ = left_ || left;
}

// What happens after every step whatever its edges are touches some cells anyway.
void ProgramSpace::begin_touching() {
    touched_.begin(program_->state_cells);
    machine_.touched = &touched_;
    touched_.add(program_->control);
    touched_.add(program_->last);
    for (const auto& row : program_->hidden) {
        touched_.add(row[0]);
    }
}

void ProgramSpace::touch_process(std::int32_t pid) const {
    if (machine_.touched != nullptr) {
        machine_.touched->add(program_->processes[at(pid)].tag);
        machine_.touched->add(program_->processes[at(pid)].location);
    }
}

// What is looked at to find out what can be done at a location; with `gated`, only where an edge's gate lets through.
void ProgramSpace::touch_steps(const LocationPlan& here, bool gated) const {
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
void ProgramSpace::touch_edge(std::int32_t index) const {
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

} // namespace beeline
