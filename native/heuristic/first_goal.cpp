#include "heuristic/first_goal.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

FirstGoal::FirstGoal(const Relaxation& relaxation)
    : relaxation_(relaxation), place_(at(relaxation.goal_fact()) + 1), maker_(place_.size()),
      last_(relaxation.operators()), removed_stamp_(relaxation.operators(), 0) {}

std::int32_t FirstGoal::first_goal(RelaxedPlan::Levels levels, std::int32_t cost,
                                   const std::vector<std::int32_t>& facts, const std::vector<std::int32_t>& removed) {
    levels_ = levels;
    ++stamp_;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        place_[at(facts[i])] = {stamp_, static_cast<std::int32_t>(i)};
    }
    for (const std::int32_t op : removed) {
        removed_stamp_[at(op)] = stamp_;
    }
    std::int32_t first = -1;
    for (const std::int32_t goal : relaxation_.achievers(relaxation_.goal_fact())) {
        if (relaxation_.cost(goal) == 0 && layer_of(goal) == cost && (first < 0 || is_due_sooner(goal, first))) {
            first = goal;
        }
    }
    return first;
}

bool FirstGoal::is_sooner(std::int32_t fact, std::int32_t other) {
    if (levels_[fact] == 0) {
        return place_[at(fact)].value < place_[at(other)].value;
    }
    const std::int32_t op = maker(fact);
    if (op != maker(other)) {
        return is_due_sooner(op, maker(other));
    }
    const Relaxation::Range effects = relaxation_.effects(op);
    return std::find(effects.begin(), effects.end(), fact) < std::find(effects.begin(), effects.end(), other);
}

bool FirstGoal::is_due_sooner(std::int32_t op, std::int32_t other) {
    const bool is_free = relaxation_.conditions(op).size() == 0;
    if (is_free || relaxation_.conditions(other).size() == 0) {
        return is_free && (op < other || relaxation_.conditions(other).size() > 0);
    }
    const std::int32_t mine = last_condition(op), others = last_condition(other);
    return mine == others ? op < other : is_sooner(mine, others);
}

std::int32_t FirstGoal::maker(std::int32_t fact) {
    if (maker_[at(fact)].stamp == stamp_) {
        return maker_[at(fact)].value;
    }
    std::int32_t first = -1;
    for (const std::int32_t op : relaxation_.achievers(fact)) {
        const bool is_absent = removed_stamp_[at(op)] == stamp_;
        if (!is_absent && layer_of(op) + 1 == levels_[fact] && (first < 0 || is_due_sooner(op, first))) {
            first = op;
        }
    }
    maker_[at(fact)] = {stamp_, first};
    return first;
}

std::int32_t FirstGoal::last_condition(std::int32_t op) {
    if (last_[at(op)].stamp == stamp_) {
        return last_[at(op)].value;
    }
    const std::int32_t layer = layer_of(op);
    std::int32_t last = -1;
    for (const std::int32_t condition : relaxation_.conditions(op)) {
        if (levels_[condition] == layer && (last < 0 || is_sooner(last, condition))) {
            last = condition;
        }
    }
    last_[at(op)] = {stamp_, last};
    return last;
}

} // namespace beeline
