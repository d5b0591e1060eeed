#include "zone/timed_space.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <stdexcept>

namespace beeline {
namespace {

using zone::Bound;

static_assert(kNotAhead == zone::kLeZero);

} // namespace

TimedSpace::TimedSpace(std::shared_ptr<const Program> program, std::shared_ptr<const ClockTables> clocks)
    : program_(std::move(program)), clocks_(std::move(clocks)), machine_(*program_), discrete_(program_->words),
      dim_(clocks_->dim), size_(dim_ * dim_), origin_running_(dim_, 1), dead_(dim_), first_(size_), second_(size_),
      target_(size_), before_(size_), goal_(size_), running_(dim_, 1), lower_(dim_), upper_(dim_),
      extents_(clocks_->measures.size()) {
    origin_running_[0] = running_[0] = 0;
    confine(true);
}

void TimedSpace::check_state(const Word* state) {
    std::vector<std::int32_t> cells(program_->initial);
    program_->unpack(state, cells.data());
    program_->check_cells(cells.data());
    const auto* zone = reinterpret_cast<const Bound*>(state + discrete_);
    for (std::size_t i = 0; i < size_; ++i) {
        if (zone[i] != zone::kInfinity && std::abs(zone::constant_of(zone[i])) > zone::kLargestBound) {
            throw std::invalid_argument("a bound of the zone is too large");
        }
    }
    for (std::size_t j = 0; j < dim_; ++j) {
        if (zone[j] > zone::kLeZero) {
            throw std::invalid_argument("a clock of the zone may be negative");
        }
    }
    if (!zone::is_tight(zone, dim_)) {
        throw std::invalid_argument("the zone is empty or not tight");
    }
}

// Constraints

bool TimedSpace::resolve(std::int32_t block, std::int32_t& number) {
    if (block < 0) {
        return true;
    }
    if (machine_.run(block) == Machine::kFailed) {
        return false;
    }
    number = machine_.value;
    return true;
}

// Cuts a zone to a range of constraints, whose clocks and bounds are those of the machine's present state.
TimedSpace::Outcome TimedSpace::cut(std::int32_t first, std::int32_t count, Bound* zone) {
    for (std::int32_t i = first; i < first + count; ++i) {
        const ClockTest& test = clocks_->tests[at(i)];
        if (test.unless >= 0) {
            const Machine::Result waived = machine_.run(test.unless);
            if (waived == Machine::kFailed) {
                return Outcome::Failed;
            }
            if (waived == Machine::kTrue) {
                continue;
            }
        }
        std::int32_t x = test.x, y = test.y, bound = test.bound;
        if (!resolve(test.x_block, x) || !resolve(test.y_block, y) || !resolve(test.bound_block, bound)) {
            return Outcome::Failed;
        }
        if (at(x) >= dim_ || at(y) >= dim_ || std::abs(std::int64_t{bound}) > zone::largest_constant(dim_)) {
            machine_.error = Error::Range;
            return Outcome::Failed;
        }
        if (x == y) {
            const bool holds[] = {0 < bound, 0 <= bound, 0 == bound, 0 >= bound, 0 > bound};
            if (!holds[at(test.comparison)]) {
                return Outcome::Empty;
            }
            continue;
        }
        const auto comparison = static_cast<Comparison>(test.comparison);
        bool left = true;
        if (comparison == Comparison::Less || comparison == Comparison::AtMost || comparison == Comparison::Equal) {
            const bool strict = comparison == Comparison::Less;
            left = zone::constrain(zone, dim_, at(x), at(y), strict ? zone::less_than(bound) : zone::at_most(bound));
        }
        if (left && comparison >= Comparison::Equal) {
            const bool strict = comparison == Comparison::Greater;
            left = zone::constrain(zone, dim_, at(y), at(x), strict ? zone::less_than(-bound) : zone::at_most(-bound));
        }
        if (!left) {
            return Outcome::Empty;
        }
    }
    return Outcome::Some;
}

TimedSpace::Outcome TimedSpace::cut_to_invariants(Bound* zone) {
    for (std::size_t pid = 0; pid < program_->processes.size(); ++pid) {
        const InvariantRow& row = clocks_->invariants[location_index(static_cast<std::int32_t>(pid))];
        if (row.count > 0) {
            const Outcome outcome = cut(row.first, row.count, zone);
            if (outcome != Outcome::Some) {
                return outcome;
            }
        }
    }
    return Outcome::Some;
}

bool TimedSpace::plain_invariants_hold(bool& failed) {
    for (std::size_t pid = 0; pid < program_->processes.size(); ++pid) {
        const InvariantRow& row = clocks_->invariants[location_index(static_cast<std::int32_t>(pid))];
        const Machine::Result result = machine_.run_if_any(row.condition);
        if (result != Machine::kTrue) {
            failed = result == Machine::kFailed;
            return false;
        }
    }
    return true;
}

// Expansion

void TimedSpace::initial(SuccessorBuffer& out) {
    std::copy(program_->initial.begin(), program_->initial.end(), machine_.cells.begin());
    machine_.log.clear();
    std::vector<Word> start(discrete_);
    program_->pack(machine_.cells.data(), start.data());
    origin_ = start.data();
    out_ = &out;
    zone::set_zero(target_.data(), dim_);
    bool failed = false;
    Outcome outcome = Outcome::Empty;
    if (plain_invariants_hold(failed)) {
        outcome = cut_to_invariants(target_.data());
    }
    failed |= outcome == Outcome::Failed || (outcome == Outcome::Some && !arrive(0, target_.data()));
    if (failed) {
        fail(0);
    }
}

std::uint32_t TimedSpace::expand(const Word* state, SuccessorBuffer& out) {
    program_->unpack(state, machine_.cells.data());
    machine_.log.clear();
    origin_ = state;
    origin_zone_ = reinterpret_cast<const Bound*>(state + discrete_);
    out_ = &out;
    committed_ = false;
    for (std::size_t pid = 0; !committed_ && pid < program_->processes.size(); ++pid) {
        committed_ = is_committed(static_cast<std::int32_t>(pid));
    }
    if (clocks_->finds_deadlocks) {
        origin_stands_ = find_running(origin_running_) != Passing::Ever;
        dead_.clear();
        dead_.add(origin_zone_);
    }
    steps();
    return marks_of_origin(origin_zone_);
}

// A goal that asks for deadlock, or its absence, is decided when all steps of the state are known.
std::uint32_t TimedSpace::marks_of_origin(const Bound* zone) {
    if (confined_) {
        zone::Federation ends(dim_);
        return find_endings(ends);
    }
    if (!clocks_->finds_deadlocks || clocks_->confined) {
        return kNone;
    }
    std::uint32_t marks = dead_.empty() ? kNone : kDeadlock;
    for (const GoalCase& goal : clocks_->goals) {
        if (goal.deadlock == 0 || machine_.run_if_any(goal.condition) != Machine::kTrue) {
            continue;
        }
        zone::Federation wanted(dim_);
        if (goal.deadlock > 0) {
            wanted = dead_;
        } else if (wanted.add(zone); clocks_->rates.empty()) { // with rates too many points may seem dead
            for (std::size_t i = 0; i < dead_.size(); ++i) {
                wanted.subtract(dead_[i]);
            }
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (cut(goal.first, goal.count, wanted[i]) == Outcome::Some) {
                marks |= kGoal;
                measure_part(goal, wanted[i]);
            }
        }
    }
    return marks;
}

std::vector<std::vector<Bound>> TimedSpace::parts_by_deadlock(const Word* state, bool dead) {
    if (!clocks_->finds_deadlocks) {
        throw std::invalid_argument("this zone graph does not look for deadlocks");
    }
    SuccessorBuffer ignored(words());
    expand(state, ignored);
    zone::Federation found = dead_;
    if (!dead) {
        found.clear();
        found.add(origin_zone_);
        for (std::size_t i = 0; clocks_->rates.empty() && i < dead_.size(); ++i) {
            found.subtract(dead_[i]);
        }
    }
    std::vector<std::vector<Bound>> parts;
    for (std::size_t i = 0; i < found.size(); ++i) {
        parts.emplace_back(found[i], found[i] + size_);
    }
    return parts;
}

// Taking a step

std::uint32_t TimedSpace::action_of(const std::vector<Part>& parts) {
    if (parts.size() == 1) {
        return static_cast<std::uint32_t>(parts.front().edge);
    }
    changed_.clear();
    for (const Part& part : parts) {
        changed_.push_back(part.edge);
    }
    const auto next = static_cast<std::uint32_t>(program_->edges.size() + joint_edges_.size());
    const auto [place, fresh] = joint_actions_.try_emplace(changed_, next);
    if (fresh) {
        joint_edges_.push_back(changed_);
    }
    return place->second;
}

std::vector<std::int32_t> TimedSpace::edges_of(std::uint32_t action) const {
    if (action < program_->edges.size()) {
        return {static_cast<std::int32_t>(action)};
    }
    const std::size_t joint = action - program_->edges.size();
    if (joint >= joint_edges_.size()) {
        throw std::invalid_argument("this space has no such action");
    }
    return joint_edges_[joint];
}

// `zone` is the part of the origin in which all guards hold.
void TimedSpace::take(const std::vector<Part>& parts, const Bound* zone) {
    const std::size_t mark = machine_.log.size();
    const std::uint32_t action = action_of(parts);
    bool failed = !perform(parts);
    if (!failed && plain_invariants_hold(failed)) {
        if (clocks_->finds_deadlocks) {
            note_escape(zone);
        }
        std::copy_n(zone, size_, target_.data());
        apply_resets(target_.data());
        const Outcome outcome = cut_to_invariants(target_.data());
        failed = outcome == Outcome::Failed;
        if (outcome == Outcome::Some) {
            failed = !arrive(action, target_.data());
        }
    }
    if (failed) {
        if (clocks_->finds_deadlocks) {
            dead_.clear();
        }
        fail(action);
    }
    machine_.undo(mark);
}

bool TimedSpace::perform(const std::vector<Part>& parts) {
    const bool receivers_first = (program_->flags & kReceiversFirst) != 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t turn = receivers_first ? (i + 1) % parts.size() : i;
        if (machine_.run_if_any(program_->edges[at(parts[turn].edge)].effect) == Machine::kFailed) {
            return false;
        }
    }
    for (const Part& part : parts) {
        machine_.set(program_->processes[at(part.pid)].location, program_->edges[at(part.edge)].target);
    }
    return true;
}

// A clock's cell holds the value it is reset to, plus one; it is zero in every state that is handed out.
void TimedSpace::apply_resets(Bound* zone) const {
    for (const Change& change : machine_.log) {
        const std::int32_t clock = clocks_->clock_of_cell[at(change.cell)];
        if (clock > 0 && machine_.cells[at(change.cell)] > 0) {
            zone::reset(zone, dim_, at(clock), machine_.cells[at(change.cell)] - 1);
        }
    }
}

bool TimedSpace::cut_to_arriving(Bound* zone) {
    zone::set_universe(before_.data(), dim_);
    if (cut_to_invariants(before_.data()) != Outcome::Some) {
        return false;
    }
    for (const Change& change : machine_.log) {
        const std::int32_t clock = clocks_->clock_of_cell[at(change.cell)];
        if (clock <= 0 || machine_.cells[at(change.cell)] <= 0) {
            continue;
        }
        const std::int32_t value = machine_.cells[at(change.cell)] - 1;
        if (!zone::constrain(before_.data(), dim_, at(clock), 0, zone::at_most(value)) ||
            !zone::constrain(before_.data(), dim_, 0, at(clock), zone::at_most(-value))) {
            return false;
        }
        zone::free_clock(before_.data(), dim_, at(clock));
    }
    return zone::intersect(zone, before_.data(), dim_);
}

// Takes the points from which the step can be taken, now or after a delay, off the deadlocked ones.
void TimedSpace::note_escape(const Bound* enabled) {
    std::copy_n(enabled, size_, goal_.data());
    if (!cut_to_arriving(goal_.data())) {
        return;
    }
    if (origin_stands_) {
        dead_.subtract(goal_.data());
    } else if (clocks_->rates.empty()) {
        zone::down(goal_.data(), dim_);
        dead_.subtract(goal_.data());
    } else {
        dead_.subtract(goal_.data()); // all of the past may not be found
        if (zone::down_running(goal_.data(), dim_, origin_running_.data(), origin_zone_)) {
            dead_.subtract(goal_.data());
        }
    }
}

void TimedSpace::fail(std::uint32_t action) {
    Word* target = out_->add(action, kError, static_cast<std::uint32_t>(machine_.error) + 1);
    std::copy_n(origin_, discrete_, target);
    zone::set_zero(reinterpret_cast<Bound*>(target + discrete_), dim_);
}

} // namespace beeline
