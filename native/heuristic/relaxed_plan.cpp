#include "heuristic/relaxed_plan.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// What an operator is worth: each needed effect is more than all difficulties of its conditions together.
constexpr std::int32_t kCovered = 1 << 17;

} // namespace

RelaxedPlan::RelaxedPlan(const Relaxation& relaxation)
    : relaxation_(relaxation), has_wide_(at(relaxation.goal_fact()) + 1, 0),
      needed_stamp_(at(relaxation.goal_fact()) + 2, 0), selected_stamp_(relaxation.operators(), 0) {
    const auto nothing = static_cast<Small>(relaxation.goal_fact() + 1);
    for (std::int32_t fact = 0; fact <= relaxation.goal_fact(); ++fact) {
        for (const std::int32_t op : relaxation.achievers(fact)) {
            const Relaxation::Range conditions = relaxation.conditions(op), effects = relaxation.effects(op);
            Achiever achiever{static_cast<Small>(op), nothing, nothing, nothing};
            if (conditions.size() > 0) {
                achiever.first = static_cast<Small>(*conditions.begin());
            }
            if (conditions.size() > 1) {
                achiever.second = static_cast<Small>(*(conditions.begin() + 1));
            }
            if (effects.size() == 2) {
                achiever.beside = static_cast<Small>(*effects.begin() + *(effects.begin() + 1) - fact);
            }
            has_wide_[at(fact)] |= conditions.size() > 2 || effects.size() > 2;
            achievers_.push_back(achiever);
        }
        starts_.push_back(static_cast<std::uint32_t>(achievers_.size()));
    }
}

std::int32_t RelaxedPlan::steps(Levels levels, std::int32_t goal, std::int32_t cost) {
    levels_ = levels;
    ++stamp_;
    counter_.begin(relaxation_.steps());
    first_operators_.clear();
    std::int32_t steps = relaxation_.cost(goal); // a goal that is a failing step counts itself
    select(steps == 0 ? goal : choose(relaxation_.goal_fact(), cost));
    for (; highest_ > 0; --highest_) {
        std::vector<Small>& needed = needed_[highest_];
        const auto level = static_cast<std::int32_t>(highest_);
        for (const Small fact : needed) { // nothing is added to this level meanwhile
            const std::int32_t op = choose(fact, level);
            if (selected_stamp_[at(op)] == stamp_) {
                continue;
            }
            select(op);
            const std::int32_t layer = layer_of(op);
            steps += counter_.is_new(relaxation_.step(op), layer);
            if (layer == 0) {
                first_operators_.push_back(op);
            }
        }
        needed.clear();
    }
    return steps;
}

void RelaxedPlan::select(std::int32_t op) {
    selected_stamp_[at(op)] = stamp_;
    for (const std::int32_t condition : relaxation_.conditions(op)) {
        need(condition);
    }
}

void RelaxedPlan::need(std::int32_t fact) {
    const std::size_t level = at(levels_[fact]);
    if (level == 0 || needed_stamp_[at(fact)] == stamp_) {
        return;
    }
    needed_stamp_[at(fact)] = stamp_;
    if (needed_.size() <= level) {
        needed_.resize(level + 1);
    }
    highest_ = std::max(highest_, level);
    needed_[level].push_back(static_cast<Small>(fact));
}

std::int32_t RelaxedPlan::choose(std::int32_t fact, std::int32_t level) const {
    const bool has_wide = has_wide_[at(fact)] != 0;
    std::int32_t best = -1, most = 0;
    for (std::uint32_t i = starts_[at(fact)], last = starts_[at(fact) + 1]; i < last; ++i) {
        const Achiever achiever = achievers_[i];
        if (std::max(levels_[achiever.first], levels_[achiever.second]) >= level) {
            continue;
        }
        if (selected_stamp_[achiever.op] == stamp_ && (!has_wide || layer_of(achiever.op) < level)) {
            return achiever.op;
        }
        const std::int32_t found = has_wide ? worth(achiever.op, fact, level) : worth(achiever, level);
        if (found > most) {
            best = achiever.op;
            most = found;
        }
    }
    return best;
}

bool RelaxedPlan::is_needed(std::int32_t fact, std::int32_t level) const {
    return needed_stamp_[at(fact)] == stamp_ && levels_[fact] == level;
}

std::int32_t RelaxedPlan::worth(const Achiever& achiever, std::int32_t level) const {
    const std::int32_t sum = levels_[achiever.first] + levels_[achiever.second];
    return (is_needed(achiever.beside, level) ? 2 * kCovered : kCovered) - sum;
}

std::int32_t RelaxedPlan::worth(std::int32_t op, std::int32_t fact, std::int32_t level) const {
    if (layer_of(op) >= level) {
        return 0;
    }
    std::int32_t worth = kCovered;
    for (const std::int32_t effect : relaxation_.effects(op)) {
        worth += effect != fact && is_needed(effect, level) ? kCovered : 0;
    }
    for (const std::int32_t condition : relaxation_.conditions(op)) {
        worth -= levels_[condition];
    }
    return worth;
}

} // namespace beeline
