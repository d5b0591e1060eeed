// How large and how small clocks and expressions become in the states in which the goal holds.
#include "zone/timed_space.hpp"

#include "vm/at.hpp"

#include <algorithm>

namespace beeline {
namespace {

using zone::Bound;

} // namespace

// Of a zone before it is widened. Goals that ask for deadlock wait until all steps are known.
void TimedSpace::measure(const Bound* zone) {
    for (const GoalCase& goal : clocks_->goals) {
        if (goal.deadlock != 0 || machine_.run_if_any(goal.condition) != Machine::kTrue) {
            continue;
        }
        std::copy_n(zone, size_, goal_.data());
        if (cut(goal.first, goal.count, goal_.data()) == Outcome::Some) {
            measure_part(goal, goal_.data());
        }
    }
}

void TimedSpace::measure_part(const GoalCase& goal, const Bound* part) {
    for (std::size_t i = 0; i < extents_.size(); ++i) {
        const MeasureRow& row = clocks_->measures[i];
        std::int32_t number = row.number;
        Extent& extent = extents_[i];
        if (!resolve(row.block, number) || (row.is_clock != 0 && at(number) >= dim_)) {
            extent.failed = true;
            continue;
        }
        const std::int32_t least = row.is_clock != 0 ? part[number] : number;
        const std::int32_t greatest = row.is_clock != 0 ? part[at(number) * dim_] : number;
        // The looser lower bound of a clock is the greater number.
        const bool lower = row.is_clock != 0 ? least > extent.least : least < extent.least;
        extent.least = lower || !extent.seen ? least : extent.least;
        extent.greatest = extent.seen ? std::max(extent.greatest, greatest) : greatest;
        extent.seen = true;
        if (row.is_clock != 0 && greatest == zone::kInfinity && !extent.endless) {
            extent.endless = grows_for_ever(goal, at(number));
        }
    }
}

// Whether time may pass without limit in this discrete state, with the goal staying true once it is. Each zone has a
// point that can be reached, so that its clocks then grow for ever; a bound may also be missing because a zone was
// widened, which proves nothing.
bool TimedSpace::grows_for_ever(const GoalCase& goal, std::size_t clock) {
    if (find_running(running_) != Passing::Ever || running_[clock] == 0) {
        return false;
    }
    zone::set_universe(before_.data(), dim_);
    if (goal.deadlock < 0 || cut_to_invariants(before_.data()) != Outcome::Some ||
        cut(goal.first, goal.count, before_.data()) != Outcome::Some) {
        return false;
    }
    for (std::size_t x = 1; x < dim_; ++x) {
        if (running_[x] != 0 && before_[x * dim_] != zone::kInfinity) {
            return false;
        }
    }
    return true;
}

} // namespace beeline
