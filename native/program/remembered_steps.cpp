#include "program/remembered_steps.hpp"

#include <utility>

namespace beeline {

void RememberedSteps::forget() {
    program_ = machine_.program;
    plan_ = &program_->plan;
    is_used_ = allowed_ && !plan_->has_committed && (program_->flags & (kPriorities | kChannelPriorities)) == 0;
    cache_.reset(plan_->locations.size() + 1 + program_->monitor.size(), plan_->processes.size() + 2);
}

bool RememberedSteps::is_goal() {
    const std::size_t place = goal_place();
    if (is_used_) {
        StepCache::Entry entry = cache_.again(0, loaded_.changed(), loaded_.words());
        entry = entry != nullptr ? entry : cache_.find(0, place, loaded_.words());
        if (entry != nullptr) {
            return StepCache::arrivals(entry) > 0;
        }
    }
    loaded_.unpack();
    const bool notes = is_used_ && cache_.is_useful(place);
    if (notes) {
        begin_noting();
    }
    const bool goal = machine_.run(program_->goal) != Machine::kFalse;
    stop_noting();
    if (notes) {
        remember(place, arcs_.out().size(), goal ? 1 : 0);
    }
    return goal;
}

bool RememberedSteps::steps_of_all() {
    const Asked state = asked();
    const std::int32_t everyone = finder_.everyone();
    std::int32_t pid = 0;
    while (pid < everyone && steps_of(pid, state)) {
        ++pid;
    }
    loaded_.settle();
    cache_.count_state();
    return arcs_.arrived > 0;
}

[[gnu::always_inline]] inline bool RememberedSteps::steps_of(std::int32_t pid, const Asked& state) {
    StepCache::Entry entry = cache_.again(asker(pid), state.changed, state.words);
    if (entry == nullptr) {
        const ProcessPlan& process = plan_->processes[at(pid)];
        const std::int32_t first = plan_->first_locations[at(process.row + loaded_.value(process.tag))];
        if (first < 0) {
            cache_.end(asker(pid));
            return false;
        }
        const std::size_t place = at(first + loaded_.value(process.location));
        entry = cache_.find(asker(pid), place, state.words);
        if (entry == nullptr) {
            find_steps_of(pid, place);
            return true;
        }
    }
    arcs_.arrived += StepCache::arrivals(entry);
    StepCache::write(entry, state.words, state.sum, state.out);
    return true;
}

bool RememberedSteps::steps_of(std::int32_t pid) { return steps_of(pid, asked()); }

void RememberedSteps::find_steps_of(std::int32_t pid, std::size_t place) {
    cache_.count_miss();
    loaded_.unpack();
    const LocationPlan& here = plan_->locations[place];
    const bool stays = here.first_edge == here.end_edge;
    const std::size_t first = arcs_.out().size();
    const std::size_t arrived = arcs_.arrived;
    const bool left = std::exchange(arcs_.left, false);
    // What the runs of other processes came through must make no difference: they may not be able to run next time.
    const bool alone = runs_.all_done();
    if (alone) {
        runs_.clear();
    }
    const bool notes = alone && cache_.is_useful(place);
    if (notes) {
        begin_noting();
        finder_.touch_process(pid);
    }
    if (!stays && finder_.may_begin(pid, here)) {
        taker_.steps_of(pid, here);
    }
    stop_noting();
    // Of runs that are put off, more steps are found later.
    if (notes && !arcs_.left && runs_.all_done() && !runs_.is_long()) {
        remember(place, first, arcs_.arrived - arrived);
    }
    arcs_.left = arcs_.left || left;
}

// What happens after every step whatever its edges are touches some cells anyway.
void RememberedSteps::begin_noting() {
    touched_.begin(program_->state_cells);
    machine_.touched = &touched_;
    touched_.add(program_->control);
    touched_.add(program_->last);
    for (const auto& row : program_->hidden) {
        touched_.add(row[0]);
    }
}

} // namespace beeline
