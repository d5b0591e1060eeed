// When the points of a state's zone are reached soonest, by a clock that nothing resets.
#include "zone/timed_space.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace beeline {
namespace {

// A lower bound of a clock, as the bound on "0 - x": twice the value, one more if that is left out.
std::uint64_t moment(zone::Bound bound) { return static_cast<std::uint64_t>(zone::complement(bound)); }

} // namespace

// The clock has the highest number, and limits everywhere: it is the last one of every frame.
std::uint64_t TimedSpace::soonest(const Word* state) const {
    if (clocks_->elapsed == 0) {
        throw std::invalid_argument("no clock of this zone graph tells the time");
    }
    return moment(packer_.below_last(state + discrete_));
}

std::uint64_t TimedSpace::soonest_goal(const Word* state) {
    SuccessorBuffer ignored(words());
    expand(state, ignored);
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const GoalCase& goal : clocks_->goals) {
        if (machine_.run_if_any(goal.condition) != Machine::kTrue) {
            continue;
        }
        zone::Federation parts = parts_to_meet(goal, origin_zone_);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (cut(goal.first, goal.count, parts[i]) == Outcome::Some) {
                least = std::min(least, moment(parts[i][dim_ - 1]));
            }
        }
    }
    return least;
}

} // namespace beeline
