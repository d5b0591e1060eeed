// Where a step of a timed state arrives: time passes, the goal is looked for, the zone is widened and written out.
#include "zone/timed_space.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <stdexcept>

namespace beeline {
namespace {

using zone::Bound;

} // namespace

bool TimedSpace::arrive(std::uint32_t action, Bound* zone) {
    const Passing passing = find_running(running_);
    if (passing == Passing::Failed) {
        return false;
    }
    if (confined_) {
        zone::Federation parts = avoiding(zone, passing == Passing::Ever);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            hand_out(action, kNone, parts[i]);
        }
        return true;
    }
    if (passing == Passing::Ever) {
        let_time_pass(zone);
    }
    // What deadlock asks for relies on zones that time does not leave, which widening may undo if clocks stand still.
    const bool again = passing == Passing::Ever && clocks_->finds_deadlocks && !clocks_->rates.empty();
    const std::uint32_t marks = goal_reached(zone) ? kGoal : kNone;
    if (!extents_.empty()) {
        measure(zone);
    }
    hand_out(action, marks, zone, again);
    return true;
}

void TimedSpace::hand_out(std::uint32_t action, std::uint32_t marks, Bound* zone, bool again) {
    if (clocks_->extrapolation == Extrapolation::None) {
        check_bounds(zone);
        return write(action, marks, zone);
    }
    if (clocks_->diagonals.empty()) {
        widen(zone);
        if (again) {
            let_time_pass(zone);
        }
        return write(action, marks, zone);
    }
    arrange_limits();
    pieces_.clear();
    zone::split_diagonals(zone, dim_, upper_.data(), clocks_->diagonals, pieces_);
    for (std::size_t i = 0; i < pieces_.size(); i += size_) {
        if (again) {
            let_time_pass(pieces_.data() + i);
        }
        write(action, marks, pieces_.data() + i);
    }
}

void TimedSpace::let_time_pass(Bound* zone) {
    if (clocks_->rates.empty()) {
        zone::up(zone, dim_);
    } else {
        zone::up_running(zone, dim_, running_.data());
    }
    cut_to_invariants(zone); // holds now, so some of it is left
}

TimedSpace::Passing TimedSpace::read_rates(std::vector<std::uint8_t>& running) {
    std::fill(running.begin() + 1, running.end(), 1);
    given_.assign(dim_, 0);
    for (const std::int32_t pid : *watched_) {
        const TableRange& row = clocks_->location_rates[location_index(pid)];
        for (std::int32_t i = row.first; i < row.first + row.count; ++i) {
            const RateRow& rate = clocks_->rates[at(i)];
            const Machine::Result waived = rate.unless < 0 ? Machine::kFalse : machine_.run(rate.unless);
            if (waived == Machine::kTrue) {
                continue;
            }
            std::int32_t clock = rate.clock, value = rate.value;
            if (waived == Machine::kFailed || !resolve(rate.clock_block, clock) || !resolve(rate.value_block, value)) {
                return Passing::Failed;
            }
            if (clock <= 0 || at(clock) >= dim_ || (value != 0 && value != 1)) {
                machine_.error = Error::Range;
                return Passing::Failed;
            }
            if (given_[at(clock)] != 0 && running[at(clock)] != value) {
                return Passing::Never;
            }
            given_[at(clock)] = 1;
            running[at(clock)] = static_cast<std::uint8_t>(value);
        }
    }
    return Passing::Ever;
}

// Without widening bounds may grow for ever.
void TimedSpace::check_bounds(const Bound* zone) const {
    for (std::size_t i = 0; i < size_; ++i) {
        if (zone[i] != zone::kInfinity && std::abs(zone::constant_of(zone[i])) > zone::kLargestBound / 2) {
            throw std::overflow_error("clock values grow without limit; choose an extrapolation");
        }
    }
}

// The target is the origin with the changed cells patched; requests for resets have been granted.
void TimedSpace::write(std::uint32_t action, std::uint32_t marks, const Bound* zone) {
    Word* target = out_->add(action, marks);
    std::copy_n(origin_, discrete_, target);
    for (const Change& change : machine_.log) {
        if (clocks_->clock_of_cell[at(change.cell)] > 0) {
            continue;
        }
        const Packing& place = program_->packing[at(change.cell)];
        const std::uint32_t value =
            static_cast<std::uint32_t>(machine_.cells[at(change.cell)]) - static_cast<std::uint32_t>(place.low);
        Word& word = target[place.word];
        word = (word & ~(place.mask << place.shift)) | ((value & place.mask) << place.shift);
    }
    if (symmetry_ == nullptr) {
        return packer_.pack(zone, *frame_, room_, target + discrete_);
    }
    folded_.assign(target, target + discrete_);
    folded_.resize(discrete_ + size_);
    std::copy_n(zone, size_, reinterpret_cast<Bound*>(folded_.data() + discrete_));
    symmetry_->apply(*program_, folded_.data());
    std::copy_n(folded_.data(), discrete_, target);
    packer_.pack(reinterpret_cast<const Bound*>(folded_.data() + discrete_), *frame_, room_, target + discrete_);
}

bool TimedSpace::goal_reached(const Bound* zone) {
    for (const GoalCase& goal : clocks_->goals) {
        if (goal.deadlock != 0 || machine_.run_if_any(goal.condition) != Machine::kTrue) {
            continue;
        }
        if (goal.count == 0) {
            return true;
        }
        std::copy_n(zone, size_, goal_.data());
        if (cut(goal.first, goal.count, goal_.data()) == Outcome::Some) {
            return true;
        }
    }
    return false;
}

void TimedSpace::collect_limits() {
    for (const std::uint32_t clock : limited_) {
        clock_lower_[clock] = clock_upper_[clock] = zone::kNeverCompared;
    }
    limited_.clear();
    include_limits(clocks_->base_limits);
    for (const std::int32_t pid : *watched_) {
        include_limits(clocks_->limits[location_index(pid)]);
    }
}

void TimedSpace::include_limits(const std::vector<ClockLimit>& limits) {
    for (const ClockLimit& limit : limits) {
        std::int32_t& lower = clock_lower_[at(limit.clock)];
        std::int32_t& upper = clock_upper_[at(limit.clock)];
        const bool fresh = lower == zone::kNeverCompared && upper == zone::kNeverCompared;
        if (fresh && (limit.lower >= 0 || limit.upper >= 0)) {
            limited_.push_back(static_cast<std::uint32_t>(limit.clock));
        }
        lower = limit.lower >= 0 ? std::max(lower, limit.lower) : lower;
        upper = limit.upper >= 0 ? std::max(upper, limit.upper) : upper;
    }
}

void TimedSpace::frame_limited(zone::Frame& frame) {
    std::sort(limited_.begin(), limited_.end());
    frame.clear();
    for (const std::uint32_t clock : limited_) {
        frame.append(clock);
    }
}

void TimedSpace::arrange_limits() {
    const bool lower_and_upper =
        clocks_->extrapolation == Extrapolation::LU || clocks_->extrapolation == Extrapolation::LUPlus;
    const bool apart = lower_and_upper && clocks_->diagonals.empty();
    lower_.resize(dim_);
    upper_.resize(dim_);
    for (std::size_t i = 0; i < dim_; ++i) {
        const std::size_t clock = frame_->clock(i);
        lower_[i] = clock_lower_[clock];
        upper_[i] = clock_upper_[clock];
        // Nothing asks whether much time has passed.
        if (!apart && clock != at(clocks_->elapsed)) {
            lower_[i] = upper_[i] = std::max(lower_[i], upper_[i]);
        }
    }
}

// Clocks that are not compared before their next reset are forgotten, and the rest is widened by itself: that is a
// smaller matrix to close.
void TimedSpace::widen(Bound* zone) {
    if (dim_ == 1) {
        return;
    }
    arrange_limits();
    active_.assign(1, 0);
    for (std::size_t i = 1; i < dim_; ++i) {
        if (lower_[i] != zone::kNeverCompared || upper_[i] != zone::kNeverCompared) {
            active_.push_back(i);
        }
    }
    if (active_.size() == dim_) {
        return extrapolate(zone, dim_);
    }
    gather_active(zone);
    extrapolate(active_zone_.data(), active_.size());
    scatter_active(zone);
}

void TimedSpace::gather_active(const Bound* zone) {
    const std::size_t count = active_.size();
    active_zone_.resize(count * count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            active_zone_[i * count + j] = zone[active_[i] * dim_ + active_[j]];
        }
        lower_[i] = lower_[active_[i]]; // moves down, so nothing is overwritten before it is read
        upper_[i] = upper_[active_[i]];
    }
}

void TimedSpace::scatter_active(Bound* zone) const {
    const std::size_t count = active_.size();
    std::fill(zone, zone + size_, zone::kInfinity);
    for (std::size_t i = 0; i < count; ++i) {
        Bound* row = zone + active_[i] * dim_;
        std::fill(row, row + dim_, active_zone_[i * count]); // a forgotten clock may be zero
        for (std::size_t j = 0; j < count; ++j) {
            row[active_[j]] = active_zone_[i * count + j];
        }
    }
    for (std::size_t i = 0; i < dim_; ++i) {
        zone[i * dim_ + i] = zone::kLeZero;
    }
}

void TimedSpace::extrapolate(Bound* zone, std::size_t dim) {
    switch (clocks_->extrapolation) {
    case Extrapolation::M: // the case of equal limits
    case Extrapolation::LU:
        return zone::extrapolate_lu(zone, dim, lower_.data(), upper_.data());
    default:
        return zone::extrapolate_lu_plus(zone, dim, lower_.data(), upper_.data());
    }
}

} // namespace beeline
