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

namespace {

// Entries that are looked up for one state in about the time in which native code finds its steps.
constexpr std::size_t kFewLookups = 5;

template <class Asked>
inline void write_steps(StepCache::Entry entry, const Asked& state, std::size_t& arrived) {
    arrived += StepCache::arrivals(entry);
    StepCache::write(entry, state.words, state.sum, state.out);
}

} // namespace

bool RememberedSteps::steps_of_all() {
    const Asked state = asked();
    const std::int32_t everyone = finder_.everyone();
    std::size_t lookups = 0;
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        if (const StepCache::Entry entry = cache_.again(asker(pid), state.changed, state.words); entry != nullptr) {
            write_steps(entry, state, arcs_.arrived);
        } else if (steps_of(pid, state)) {
            ++lookups;
        } else {
            break;
        }
    }
    loaded_.settle();
    // One that took many counts as several states, each with something that was not known.
    for (; lookups > kFewLookups; lookups -= kFewLookups) {
        cache_.count_miss();
        cache_.count_state();
    }
    cache_.count_state();
    return arcs_.arrived > 0;
}

// For one whose steps are not as they were last.
[[gnu::always_inline]] inline bool RememberedSteps::steps_of(std::int32_t pid, const Asked& state) {
    const ProcessPlan& process = plan_->processes[at(pid)];
    const std::int32_t first = plan_->first_locations[at(process.row + loaded_.value(process.tag))];
    if (first < 0) {
        cache_.end(asker(pid));
        return false;
    }
    const std::size_t place = at(first + loaded_.value(process.location));
    const StepCache::Entry entry = cache_.find(asker(pid), place, state.words);
    if (entry == nullptr) {
        find_steps_of(pid, place);
        return true;
    }
    write_steps(entry, state, arcs_.arrived);
    return true;
}

bool RememberedSteps::steps_of(std::int32_t pid) {
    const Asked state = asked();
    const StepCache::Entry entry = cache_.again(asker(pid), state.changed, state.words);
    if (entry == nullptr) {
        return steps_of(pid, state);
    }
    write_steps(entry, state, arcs_.arrived);
    return true;
}

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
