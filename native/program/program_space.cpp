#include "program/program_space.hpp"

#include "state/hash.hpp"
#include "vm/at.hpp"

#include <algorithm>

namespace beeline {

namespace {

// Whether what lies inside an uninterrupted run need not be looked at as a state.
bool goes_on_in_place(const Program& program) {
    return program.goal < 0 && (program.flags & (kPriorities | kSeeksLabels)) == 0;
}

} // namespace

ProgramSpace::ProgramSpace(std::shared_ptr<const Program> program, bool merged, std::size_t sample)
    : layouts_(std::move(program)), program_(layouts_.current().get()), sample_(sample), machine_(*program_),
      runs_(merged && program_->control >= 0, goes_on_in_place(*program_), words()), finder_(machine_),
      arcs_(machine_, runs_), taker_(machine_, finder_, arcs_, runs_), loaded_(machine_),
      native_(machine_, finder_, taker_, arcs_, runs_), remembered_(machine_, finder_, taker_, arcs_, runs_, loaded_),
      monitor_(machine_, arcs_, loaded_, remembered_), local_(machine_, finder_, taker_, arcs_, loaded_),
      accepts_(has_accepting(*program_)), plain_(!runs_.merges() && !accepts_) {
    machine_.can_move = [this](std::int32_t pid) { return finder_.can_begin(pid); };
}

std::unique_ptr<ProgramSpace> ProgramSpace::like_this(bool merged) const {
    auto other = std::make_unique<ProgramSpace>(layouts_.full(), merged, sample_);
    other->set_tier(native_.tier());
    other->remember(remembered_.is_allowed());
    return other;
}

std::unique_ptr<ProgramSpace> ProgramSpace::merging_clone() const {
    return like_this(merges() || goes_on_in_place(*layouts_.full()));
}

// Layouts

bool ProgramSpace::tighten(std::size_t count, StateAt state) {
    const bool changed = layouts_.tighten(count, state);
    if (changed) {
        take_layout();
    }
    return changed;
}

void ProgramSpace::widen(const TooNarrow& reason) {
    layouts_.widen(reason);
    take_layout();
}

bool ProgramSpace::use_full_layout() {
    const bool changed = layouts_.use_full();
    take_layout();
    return changed;
}

// The machine's cells are left as some state of the new layout has them.
void ProgramSpace::take_layout() {
    program_ = layouts_.current().get();
    machine_.log.clear();
    machine_.change_program(*program_);
    machine_.cells[at(program_->timeout_cell)] = 0;
    for (const Packing& place : program_->packing) {
        machine_.cells[at(place.cell)] = place.low;
    }
    runs_.use_layout(words());
    finder_.use_layout();
    arcs_.use_layout();
    taker_.use_layout();
    loaded_.use_layout();
    native_.use_layout();
    remembered_.forget();
    monitor_.use_layout();
}

// States

void ProgramSpace::check_state(const Word* state) {
    std::vector<std::int32_t> cells(program_->initial);
    program_->unpack(state, cells.data());
    program_->check_cells(cells.data());
}

void ProgramSpace::initial(SuccessorBuffer& out) {
    use_full_layout();
    if ((program_->flags & kOpened) != 0) {
        open(out);
    } else {
        begin_at_start(out);
    }
}

void ProgramSpace::begin_at_start(SuccessorBuffer& out) {
    std::copy(program_->initial.begin(), program_->initial.end(), machine_.cells.begin());
    bool goal = program_->goal >= 0 && machine_.run(program_->goal) != Machine::kFalse;
    if (program_->monitor_cell >= 0) {
        goal = goal || program_->monitor[at(machine_.cells[at(program_->monitor_cell)])].end != 0;
    }
    Word* state = out.add(0, goal ? kGoal : kNone);
    program_->pack(machine_.cells.data(), state);
    out.set_hash(out.size() - 1, hash_words(state, words()));
}

// What lies before the initial states is no state of the space, but it is expanded like one, by the process that opens.
// A monitor has not moved yet.
void ProgramSpace::open(SuccessorBuffer& out) {
    std::vector<Word> before(words());
    program_->pack(program_->initial.data(), before.data());
    begin(before.data(), out);
    loaded_.unpack();
    arcs_.origin_goal = program_->goal >= 0 && machine_.run(program_->goal) != Machine::kFalse;
    runs_.leave();
    watched_ = false;
    const std::size_t first = out.size();
    taker_.steps_of(0);
    loaded_.unload();
    if (program_->monitor_cell >= 0 && program_->monitor[at(program_->initial[at(program_->monitor_cell)])].end != 0) {
        for (std::size_t i = first; i < out.size(); ++i) {
            out.arc(i).marks |= kGoal;
        }
    }
}

std::int32_t ProgramSpace::active(const Word* state) {
    load(state);
    loaded_.unpack();
    std::int32_t count = 0;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        count += finder_.can_begin(pid);
    }
    loaded_.unload();
    return count;
}

LocalSteps ProgramSpace::local_steps(const Word* state, std::int32_t pid, bool timeout) {
    runs_.leave();
    load(state);
    return local_.steps_of(pid, timeout);
}

LocalSteps ProgramSpace::local_monitor_moves(const Word* state, bool timeout) {
    runs_.leave();
    load(state);
    return local_.monitor_moves(timeout);
}

LocalValue ProgramSpace::local_value(const Word* state, std::int32_t block) {
    runs_.leave();
    load(state);
    return local_.value_of(block);
}

// Expansion

std::uint32_t ProgramSpace::expand(const Word* state, SuccessorBuffer& out) {
    native_.look();
    runs_.leave();
    if (plain_) {
        return expand_one(state, out);
    }
    runs_.begin();
    const std::size_t before = out.size();
    const std::uint32_t marks = expand_one(state, out);
    repeated_ = runs_.in_place() ? arcs_.arrived - (out.size() - before) : 0;
    return accepts_ || !runs_.is_empty() ? finish(state, out, before, marks) : marks;
}

// What is left to do for a state whose own arcs begin at `first`: states in the middle of runs, moves of a monitor,
// and whether it is accepting.
std::uint32_t ProgramSpace::finish(const Word* state, SuccessorBuffer& out, std::size_t first, std::uint32_t marks) {
    const bool watched = watched_;
    if (!runs_.all_done()) {
        repeated_ += runs_.expand_put_off(out, first, [&](const Word* middle) {
            expand_one(middle, out);
            return arcs_.arrived;
        });
    }
    if (out.size() > first || !runs_.is_empty()) {
        marks &= ~static_cast<std::uint32_t>(kDeadlock);
    }
    if (watched) {
        repeated_ = 0;
        monitor_.move_along(first_watched_);
    }
    if (!accepts_ || !is_accepting(*program_, state)) {
        return marks;
    }
    if (out.size() == first && (program_->flags & kSeeksLabels) != 0) {
        // A run that comes to rest at an accept label stays there for ever.
        const auto nobody = static_cast<std::uint32_t>(program_->edges.size());
        std::copy_n(state, words(), out.add(nobody, kNone));
        out.set_hash(first, hash_words(state, words()));
    }
    return marks | kAccept;
}

void ProgramSpace::load(const Word* state) {
    finder_.clear();
    runs_.surface();
    machine_.touched = nullptr;
    loaded_.load(state);
}

std::uint32_t ProgramSpace::expand_one(const Word* state, SuccessorBuffer& out) {
    begin(state, out);
    const std::uint32_t marks = expand_loaded();
    loaded_.unload();
    return marks;
}

void ProgramSpace::begin(const Word* state, SuccessorBuffer& out) {
    load(state);
    arcs_.begin(loaded_.words(), loaded_.sum(), out);
}

std::uint32_t ProgramSpace::expand_loaded() {
    arcs_.origin_goal = program_->goal >= 0 && remembered_.is_goal();
    const std::int32_t control = program_->control >= 0 ? loaded_.value(program_->control) : -1;
    arcs_.base.controlled = control >= 0;
    watched_ = program_->monitor_cell >= 0 && control < 0;
    if (watched_) {
        expand_watched();
        return kNone;
    }
    const std::uint32_t marks = control >= 0 ? kTransient : kNone;
    if (control >= 0 && tells_steps()) {
        remembered_.steps_of(control);
    } else if (control >= 0) {
        loaded_.unpack();
        taker_.steps_of(control);
    }
    if (arcs_.arrived == 0 && !steps_of_all() && (program_->flags & kUsesTimeout) != 0) {
        steps_after_timeout();
    }
    if (arcs_.arrived > 0 ? !stutters() : arcs_.left) {
        return marks;
    }
    loaded_.unpack();
    return marks | (finder_.rest_at_end() ? kNone : kDeadlock);
}

// Whether the steps that were found lead nowhere else, and that is what counts.
bool ProgramSpace::stutters() const { return (program_->flags & kStuttering) != 0 && arcs_.all_lead_back(); }

// The monitor moves on the present state, then the network; it moves alone where the network cannot. Where one of the
// two has no move without a timeout, both have another try with one. The network's arcs are found as if nobody watched;
// the monitor's move is added to them when all are there.
void ProgramSpace::expand_watched() {
    const bool ended = program_->monitor[at(monitor_.here())].end != 0;
    const bool able = !ended && monitor_.find(false);
    SuccessorBuffer& out = arcs_.out();
    first_watched_ = out.size();
    if (ended) {
        return;
    }
    bool moved = steps_of_all();
    if ((program_->flags & kUsesTimeout) != 0 && !(able && moved)) {
        out.cut(first_watched_);
        runs_.clear();
        loaded_.unpack();
        std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
        timeout = 1;
        monitor_.find(true);
        timeout = 0;
        first_watched_ = out.size();
        moved = steps_after_timeout();
    }
    if (!moved) {
        loaded_.unpack();
        monitor_.move_alone();
        first_watched_ = out.size();
    }
}

// Steps

bool ProgramSpace::find_steps_of_all() {
    loaded_.unpack();
    const bool preferences =
        program_->plan.has_committed || (program_->flags & (kPriorities | kChannelPriorities)) != 0;
    return preferences ? preferred_steps() : steps_in_order();
}

bool ProgramSpace::steps_after_timeout() {
    loaded_.unpack();
    std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
    timeout = 1;
    const bool any = preferred_steps();
    timeout = 0;
    return any;
}

bool ProgramSpace::steps_in_order() {
    const std::size_t before = arcs_.arrived;
    // Generated code knows no runs that go on.
    if (native_.is_there() && !arcs_.base.controlled && !runs_.is_inside() && native_.expand()) {
        return arcs_.arrived > before;
    }
    for (std::int32_t pid = 0; pid < finder_.everyone(); ++pid) {
        const LocationPlan* here = finder_.place(pid);
        if (here == nullptr) {
            break;
        }
        if (here->first_edge != here->end_edge && finder_.may_begin(pid, *here)) {
            taker_.steps_of(pid, *here);
        }
    }
    return arcs_.arrived > before;
}

bool ProgramSpace::preferred_steps() {
    std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
    const std::int32_t asked = timeout;
    return finder_.preferred([&](const Candidate& candidate) {
        timeout = 0; // what a step arrives at is judged without it
        taker_.take(candidate);
        timeout = asked;
        return true;
    });
}

} // namespace beeline
