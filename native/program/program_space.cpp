#include "program/program_space.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Whether what lies inside an uninterrupted run need not be looked at as a state.
bool goes_on_in_place(const Program& program) {
    return program.goal < 0 && (program.flags & (kPriorities | kSeeksLabels)) == 0;
}

} // namespace

ProgramSpace::ProgramSpace(std::shared_ptr<const Program> program, bool merged, std::size_t sample)
    : layouts_(std::move(program)), program_(layouts_.current().get()), plan_(&program_->plan),
      everyone_(static_cast<std::int32_t>(program_->processes.size())), machine_(*program_),
      merged_(merged && program_->control >= 0), sample_(sample), in_place_(merged_ && goes_on_in_place(*program_)),
      loaded_(words() + kSpareWords), unpacked_(words()), current_(words()) {
    plain_ = !merged_ && program_->monitor_cell < 0 && (program_->flags & kSeeksLabels) == 0;
    set_up_context();
    forget_steps();
    machine_.can_move = [this](std::int32_t pid) { return can_begin(pid); };
}

std::unique_ptr<ProgramSpace> ProgramSpace::merging_clone() const {
    return reducer_ == nullptr ? like_this(merged_ || goes_on_in_place(*layouts_.full())) : nullptr;
}

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
    plan_ = &program_->plan;
    if (reducer_ != nullptr) {
        reducer_->use_layout(layouts_.current());
    }
    machine_.log.clear();
    machine_.change_program(*program_);
    machine_.cells[at(program_->timeout_cell)] = 0;
    for (const Packing& place : program_->packing) {
        machine_.cells[at(place.cell)] = place.low;
    }
    loaded_.assign(words() + kSpareWords, 0);
    loaded_sum_ = 0;
    unpacked_.resize(words());
    use_layout_natively();
    forget_steps();
    current_.resize(words());
    is_unpacked_ = knows_cells_ = false;
}

void ProgramSpace::check_state(const Word* state) {
    std::vector<std::int32_t> cells(program_->initial);
    program_->unpack(state, cells.data());
    program_->check_cells(cells.data());
}

void ProgramSpace::initial(SuccessorBuffer& out) {
    use_full_layout();
    const std::size_t first = out.size();
    if ((program_->flags & kOpened) != 0) {
        open(out);
    } else {
        begin_at_start(out);
    }
    make_canonical(out, first);
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
    program_->pack(program_->initial.data(), current_.data());
    begin(current_.data(), out);
    unpack();
    origin_goal_ = program_->goal >= 0 && machine_.run(program_->goal) != Machine::kFalse;
    inside_run_ = watched_ = false;
    const std::size_t first = out.size();
    steps_of(0);
    unload();
    if (program_->monitor_cell >= 0 && program_->monitor[at(program_->initial[at(program_->monitor_cell)])].end != 0) {
        for (std::size_t i = first; i < out.size(); ++i) {
            out.arc(i).marks |= kGoal;
        }
    }
}

std::int32_t ProgramSpace::active(const Word* state) {
    load(state);
    unpack();
    std::int32_t count = 0;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        count += can_begin(pid);
    }
    unload();
    return count;
}

// Expansion

std::uint32_t ProgramSpace::expand(const Word* state, SuccessorBuffer& out) {
    if (tier_ != nullptr && native_ == nullptr && tier_->is_ready()) {
        native_ = tier_->code();
    }
    const std::size_t first = out.size();
    const std::uint32_t marks = expand_all(state, out);
    make_canonical(out, first);
    if (symmetry_ != nullptr && symmetry_->counts()) {
        symmetry_->count(*program_, state);
    }
    return marks;
}

void ProgramSpace::make_canonical(SuccessorBuffer& out, std::size_t first) {
    if (symmetry_ == nullptr) {
        return;
    }
    for (std::size_t i = first; i < out.size(); ++i) {
        if ((out.arc(i).marks & kError) == 0 && symmetry_->apply(*program_, out.state(i))) {
            out.set_hash(i, hash_words(out.state(i), words()));
        }
    }
}

std::uint32_t ProgramSpace::expand_all(const Word* state, SuccessorBuffer& out) {
    inside_run_ = false;
    if (plain_) {
        return expand_one(state, out);
    }
    held_.clear(words());
    ways_.clear();
    expanded_ = 0;
    const std::size_t before = out.size();
    std::uint32_t marks = expand_one(state, out);
    const bool watched = watched_;
    repeated_ = in_place_ && !watched ? arrived_ - (out.size() - before) : 0;
    if (!held_.all_done()) {
        expand_held(before, watched);
    }
    if (out.size() > before || held_.size() > 0) {
        marks &= ~static_cast<std::uint32_t>(kDeadlock);
    }
    if (watched) {
        move_monitor_along();
    }
    if (!is_accepting(state)) {
        return marks;
    }
    if (out.size() == before && (program_->flags & kSeeksLabels) != 0) {
        // A run that comes to rest at an accept label stays there for ever.
        const auto nobody = static_cast<std::uint32_t>(program_->edges.size());
        std::copy_n(state, words(), out.add(nobody, kNone));
        out.set_hash(before, hash_words(state, words()));
    }
    return marks | kAccept;
}

// What was put off while the state was expanded whose arcs begin at `first`.
void ProgramSpace::expand_held(std::size_t first, bool watched) {
    ways_.end(0, out_->size() - first);
    inside_run_ = true;
    for (std::size_t i = 0; i < held_.size(); ++i) {
        if (!held_.is_done(i)) {
            std::copy_n(held_.state(i), words(), current_.data());
            held_action_ = held_.action(i);
            expanded_ = i + 1;
            const std::size_t before = out_->size();
            expand_one(current_.data(), *out_);
            ways_.end(expanded_, out_->size() - before);
            repeated_ += arrived_ - (out_->size() - before) - 1; // it was an arrival itself
        }
    }
    if (watched) {
        repeated_ = 0;
    } else if (!in_place_) {
        repeated_ = ways_.repeated();
    }
}

std::uint32_t ProgramSpace::expand_one(const Word* state, SuccessorBuffer& out) {
    begin(state, out);
    const std::uint32_t marks = expand_loaded();
    unload();
    return marks;
}

void ProgramSpace::begin(const Word* state, SuccessorBuffer& out) {
    load(state);
    base_ = {loaded_.data(), loaded_sum_, 0, false};
    out_ = &out;
    first_arc_ = out.size();
    arrived_ = 0;
    left_ = false;
}

std::uint32_t ProgramSpace::expand_loaded() {
    origin_goal_ = program_->goal >= 0 && starts_at_goal();
    const std::int32_t control = program_->control >= 0 ? value_in_base(program_->control) : -1;
    base_.controlled = control >= 0;
    watched_ = program_->monitor_cell >= 0 && control < 0;
    if (watched_) {
        expand_watched();
        return kNone;
    }
    const std::uint32_t marks = control >= 0 ? kTransient : kNone;
    if (control >= 0 && knows_steps()) {
        known_steps_of(control);
    } else if (control >= 0) {
        unpack();
        steps_of(control);
    }
    if (arrived_ == 0) {
        steps_of_all();
    }
    if (arrived_ > 0 ? !stutters() : left_) {
        return marks;
    }
    unpack();
    return marks | (rests_at_end() ? kNone : kDeadlock);
}

// Whether the steps that were found lead nowhere else, and that is what counts.
bool ProgramSpace::stutters() const {
    if ((program_->flags & kStuttering) == 0 || left_) {
        return false;
    }
    for (std::size_t i = first_arc_; i < out_->size(); ++i) {
        if ((out_->arc(i).marks & kError) != 0 || !std::equal(base_.words, base_.words + words(), out_->state(i))) {
            return false;
        }
    }
    return true;
}

// The monitor moves on the present state, then the network; it moves alone where the network cannot. Where one of the
// two has no move without a timeout, both have another try with one. The network's arcs are found as if nobody watched;
// the monitor's move is added to them when all are there.
void ProgramSpace::expand_watched() {
    const bool ended = program_->monitor[at(value_in_base(program_->monitor_cell))].end != 0;
    const bool able = !ended && find_monitor_moves(false);
    first_watched_ = out_->size();
    if (ended) {
        return;
    }
    bool moved = knows_steps() ? known_steps_of_all() : (unpack(), pass_over());
    if ((program_->flags & kUsesTimeout) != 0 && !(able && moved)) {
        out_->cut(first_watched_);
        held_.clear(words());
        unpack();
        std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
        timeout = 1;
        find_monitor_moves(true);
        first_watched_ = out_->size();
        moved = pass_over_preferred();
        timeout = 0;
    }
    if (!moved) {
        unpack();
        arrive_halted();
        first_watched_ = out_->size();
    }
}

// Makes each arc of the network once for each move of the monitor.
void ProgramSpace::move_monitor_along() {
    const std::size_t first = first_watched_, end = out_->size();
    if (monitor_moves_.empty()) {
        return out_->cut(first);
    }
    const Packing& place = program_->packing[at(program_->monitor_cell)];
    const auto put = [&](std::size_t arc, const MonitorMove& move) {
        out_->arc(arc).marks |= move.sets;
        const std::int32_t location = move.target;
        if ((out_->arc(arc).marks & kError) != 0 || place.value(out_->state(arc)) == location) {
            return;
        }
        if (!place.holds(location)) [[unlikely]] {
            throw TooNarrow{program_->monitor_cell, location};
        }
        place.put(out_->state(arc), location);
        out_->set_hash(arc, hash_words(out_->state(arc), words()));
    };
    for (std::size_t move = 1; move < monitor_moves_.size(); ++move) {
        for (std::size_t arc = first; arc < end; ++arc) {
            const SuccessorBuffer::Arc one = out_->arc(arc);
            out_->add(one.action, one.marks, one.detail);
            out_->copy(arc, out_->size() - 1);
            put(out_->size() - 1, monitor_moves_[move]);
        }
    }
    for (std::size_t arc = first; arc < end; ++arc) {
        put(arc, monitor_moves_[0]);
    }
}

// By the place of the monitor, or where asked for by the labels of processes.
bool ProgramSpace::is_accepting(const Word* state) const {
    if (program_->monitor_cell < 0 && (program_->flags & kSeeksLabels) == 0) {
        return false;
    }
    const auto value = [&](std::int32_t cell) { return program_->packing[at(cell)].value(state); };
    if (is_controlled(state)) {
        return false; // a monitor does not look at the middle of a run
    }
    if (program_->monitor_cell >= 0 && program_->monitor[at(value(program_->monitor_cell))].accept != 0) {
        return true;
    }
    if ((program_->flags & kSeeksLabels) == 0) {
        return false;
    }
    for (const ProcessPlan& process : plan_->processes) {
        const std::int32_t first = plan_->first_locations[at(process.row + value(process.tag))];
        if (first < 0) {
            return false;
        }
        if ((plan_->locations[at(first + value(process.location))].flags & kAcceptLabel) != 0) {
            return true;
        }
    }
    return false;
}

// The words alone: steps that are known can do without cells.
void ProgramSpace::load(const Word* state) {
    parts_.cut(0);
    messages_.cut(0);
    choices_.cut(0);
    groups_.cut(0);
    chosen_.cut(0);
    depth_ = 0;
    machine_.touched = nullptr;
    for (std::size_t w = 0; w < words(); ++w) {
        if (state[w] != loaded_[w]) {
            loaded_sum_ += hash_difference(program_->hash_keys[w], loaded_[w], state[w]);
            loaded_[w] = state[w];
            changed_ |= StepCache::bit_of(w);
        }
    }
    is_unpacked_ = false;
}

// Between expansions the cells keep the values that they had last, and most words are the same again.
void ProgramSpace::unpack() {
    if (is_unpacked_) {
        return;
    }
    if (knows_cells_) {
        program_->unpack_changed(loaded_.data(), unpacked_.data(), machine_.cells.data());
    } else {
        machine_.log.clear();
        program_->unpack(loaded_.data(), machine_.cells.data());
        std::copy_n(loaded_.data(), words(), unpacked_.data());
    }
    is_unpacked_ = true;
    knows_cells_ = false; // until `unload`
}

void ProgramSpace::unload() {
    if (is_unpacked_) {
        machine_.undo(0);
        knows_cells_ = true;
    }
}

void ProgramSpace::steps_of_all() {
    if (knows_steps()) {
        if (!known_steps_of_all() && (program_->flags & kUsesTimeout) != 0) {
            time_out();
        }
        return;
    }
    unpack();
    if (!pass_over() && (program_->flags & kUsesTimeout) != 0) {
        time_out();
    }
}

bool ProgramSpace::pass_over() {
    const bool preferences = plan_->has_committed || (program_->flags & (kPriorities | kChannelPriorities)) != 0;
    return preferences ? pass_over_preferred() : pass_over_all();
}

void ProgramSpace::time_out() {
    unpack();
    std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
    timeout = 1;
    pass_over_preferred();
    timeout = 0;
}

bool ProgramSpace::pass_over_all() {
    const std::size_t before = arrived_;
    if (asks_native() && expand_native()) {
        return arrived_ > before;
    }
    for (std::int32_t pid = 0; pid < everyone(); ++pid) {
        const LocationPlan* here = place(pid);
        if (here == nullptr) {
            break;
        }
        if (here->first_edge != here->end_edge && may_begin(pid, *here)) {
            steps_of(pid, *here);
        }
    }
    return arrived_ > before;
}

// Committed locations first, then the highest priority.
bool ProgramSpace::pass_over_preferred() {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
    const std::int32_t asked = timeout;
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
            timeout = 0; // what a step arrives at is judged without it
            take(candidate);
            timeout = asked;
            return true;
        });
    }
    return any;
}

bool ProgramSpace::somebody_is_committed() const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; plan_->has_committed && pid < everyone; ++pid) {
        if (is_committed(pid)) {
            return true;
        }
    }
    return false;
}

// Beside a committed location: whether one of the partners is at such a location, or under another rule all are.
bool ProgramSpace::passes_committed(const Candidate& candidate) const {
    const bool all = (program_->flags & kCommittedTogether) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (is_committed(parts_[candidate.first_part + i].pid) != all) {
            return !all;
        }
    }
    return all;
}

// The channel's priority counts before that of the processes.
std::int64_t ProgramSpace::priority(const Candidate& candidate) const {
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

bool ProgramSpace::rests_at_end() const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        if ((location(pid).flags & kEnd) == 0) {
            return false;
        }
    }
    return true;
}

// Arriving

// A goal that has no value in a state, because of an index out of range, counts as reached: the replay tells why.
bool ProgramSpace::goal_reached() {
    if (program_->goal < 0) {
        return false;
    }
    for (const Change& change : machine_.log) {
        if (program_->goal_reads[at(change.cell)] != 0) {
            return machine_.run(program_->goal) != Machine::kFalse;
        }
    }
    return origin_goal_;
}

// Says whether there is any move of the monitor. Those that end the run, complete or in an error, are arcs at once:
// what the monitor watches for is complete before the network moves.
bool ProgramSpace::find_monitor_moves(bool timeout) {
    monitor_moves_.clear();
    const std::size_t first = out_->size();
    write_monitor_moves(timeout);
    const std::size_t end = out_->size();
    std::size_t kept = first;
    for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t marks = out_->arc(i).marks;
        if ((marks & (kGoal | kError)) != 0) {
            out_->copy(i, kept++);
        } else {
            monitor_moves_.push_back({program_->packing[at(program_->monitor_cell)].value(out_->state(i)), marks});
        }
    }
    out_->cut(kept);
    return end > first;
}

// As arcs to the state in which the monitor alone has moved, remembered like the steps of a process.
void ProgramSpace::write_monitor_moves(bool timeout) {
    const std::int32_t here = value_in_base(program_->monitor_cell);
    const std::size_t place = plan_->locations.size() + 1 + at(here), asker = plan_->processes.size() + 1;
    const bool remembers = remembers_ && !timeout && known_.is_useful(place);
    if (remembers) {
        if (const StepCache::Entry entry = known_.find(asker, place, base_.words); entry != nullptr) {
            return StepCache::write(entry, base_.words, base_.sum, *out_);
        }
    }
    unpack();
    const std::size_t first = out_->size();
    if (remembers) {
        begin_touching();
        touched_.add(program_->monitor_cell);
    }
    const auto first_action = static_cast<std::uint32_t>(program_->edges.size() + 1);
    const MonitorRow& row = program_->monitor[at(here)];
    second_ = 0;
    for (std::int32_t i = row.first_edge; i < row.first_edge + row.edges; ++i) {
        const MonitorEdge& edge = program_->monitor_edges[at(i)];
        if (out_->size() > first && edge.rank != program_->monitor_edges[at(i - 1)].rank) {
            break;
        }
        const Machine::Result result = machine_.run_if_any(edge.guard);
        if (result == Machine::kFalse) {
            continue;
        }
        if (result == Machine::kFailed || machine_.run_if_any(edge.effect) == Machine::kFailed) {
            write_failed(first_action + static_cast<std::uint32_t>(i));
        } else {
            machine_.set(program_->monitor_cell, edge.target);
            write_arc(first_action + static_cast<std::uint32_t>(i),
                      (program_->monitor[at(edge.target)].end != 0 ? kGoal : kNone) |
                          static_cast<std::uint32_t>(edge.sets) << kFirstSet);
            machine_.undo(0);
        }
    }
    machine_.touched = nullptr;
    if (remembers) {
        known_.add(place, base_.words, touched_, *program_, *out_, first, 0);
    }
}

// The monitor's moves where the network has none.
void ProgramSpace::arrive_halted() {
    second_ = 0;
    for (const MonitorMove& move : monitor_moves_) {
        machine_.set(program_->monitor_cell, program_->monitor[at(move.target)].halted);
        write_arc(static_cast<std::uint32_t>(program_->edges.size()), (origin_goal_ ? kGoal : kNone) | move.sets);
        machine_.undo(0);
    }
}

void ProgramSpace::arrive(std::uint32_t action) {
    ++arrived_;
    std::uint32_t marks = goal_reached() ? kGoal : kNone;
    if (program_->control >= 0 && machine_.cells[at(program_->control)] >= 0) {
        marks |= kTransient;
    }
    write_arc(inside_run_ ? held_action_ : action, marks);
}

void ProgramSpace::arrive_failed(std::uint32_t action) {
    if (machine_.error == Error::Processes && (program_->flags & kGrowable) != 0) {
        throw TooManyProcesses{};
    }
    if (is_left_out(machine_.error)) {
        left_ = left_ || machine_.error == Error::Outside;
        return;
    }
    ++arrived_;
    write_failed(inside_run_ ? held_action_ : action);
}

void ProgramSpace::write_failed(std::uint32_t action) {
    Word* target = out_->add(action, kError, static_cast<std::uint32_t>(machine_.error) + 1);
    std::copy_n(base_.words, words(), target);
    out_->set_hash(out_->size() - 1, 0);
}

void ProgramSpace::write_arc(std::uint32_t action, std::uint32_t marks) {
    const std::uint64_t sum = patch(out_->add(action, marks, second_));
    out_->set_hash(out_->size() - 1, finish_hash(sum));
    if (merged_ && (marks & kTransient) != 0 && (marks & kGoal) == 0) {
        hold_back(action);
    }
}

// The target is the base with the changed cells patched; returns its hash sum.
std::uint64_t ProgramSpace::patch(Word* target) const {
    std::uint64_t sum = base_.sum;
    std::memcpy(target, base_.words, words() * sizeof(Word));
    for (const Change* next = machine_.log.begin() + base_.mark; next != machine_.log.end(); ++next) {
        const Change& change = *next;
        const Packing& place = program_->packing[at(change.cell)];
        if (!place.holds(machine_.cells[at(change.cell)])) [[unlikely]] {
            throw TooNarrow{change.cell, machine_.cells[at(change.cell)]};
        }
        const Word before = target[place.word];
        const Word after = (before & place.keep) | place.bits(machine_.cells[at(change.cell)]);
        target[place.word] = after;
        sum += hash_difference(program_->hash_keys[place.word], before, after);
    }
    return sum;
}

// Uninterrupted runs

// The process has just been given control. Goes on with it from the state that the machine is in; false if it cannot.
bool ProgramSpace::go_on_alone(std::int32_t pid, std::uint32_t action) {
    if (held_.size() >= kLongestRun) {
        const bool able = can_begin(pid);
        if (able) {
            arrive(action);
        }
        return able;
    }
    const bool first = !inside_run_;
    if (first) {
        held_action_ = action;
    }
    Word* const middle = middles_.data() + static_cast<std::size_t>(depth_) * context_.spare_stride;
    const std::uint64_t sum = patch(middle);
    const bool nests = depth_ < kMostNested;
    const bool holds = location(pid).meeting || !nests;
    HeldStates::Addition added{};
    if (holds) {
        added = held_.add(middle, finish_hash(sum), held_action_, true);
        if (!added.fresh) {
            arrived_ += held_.ways(added.position);
            return true;
        }
    }
    const std::size_t arrived = arrived_;
    bool able = false;
    if (nests) {
        const Base before = std::exchange(base_, {middle, sum, machine_.log.size(), true});
        ++depth_;
        inside_run_ = true;
        able = steps_of(pid);
        inside_run_ = !first;
        --depth_;
        base_ = before;
    } else {
        able = can_begin(pid);
        held_.put_off(added.position);
        arrived_ += able;
    }
    if (holds && able) {
        held_.set_ways(added.position, arrived_ - arrived);
    } else if (holds) {
        held_.drop_last();
    }
    return able;
}

// Moves the arc just written from the buffer to the states held back, unless its target was met before.
void ProgramSpace::hold_back(std::uint32_t action) {
    if (held_.size() < kLongestRun) {
        const std::size_t last = out_->size() - 1;
        ways_.add(expanded_, 1 + held_.add(out_->state(last), out_->hash(last), action, false).position);
        out_->drop_last();
    }
}

} // namespace beeline
