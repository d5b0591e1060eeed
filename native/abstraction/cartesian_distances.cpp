#include "abstraction/cartesian_distances.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

using Entry = std::pair<std::int64_t, std::int32_t>; // length and state
using Nearest = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

} // namespace

CartesianDistances::CartesianDistances(const FactoredTask& task, const CartesianStates& states) : states_(states) {
    for (const Label& label : task.labels()) {
        costs_.push_back(label.cost);
    }
    measure();
}

std::int32_t CartesianDistances::cost(std::int32_t state) const {
    return lengths_[at(state)] == kNoWay ? kUnreachable : static_cast<std::int32_t>(lengths_[at(state)] / kOne);
}

void CartesianDistances::measure() {
    lengths_.assign(at(states_.count()), kNoWay);
    next_.assign(at(states_.count()), {-1, -1});
    lost_.assign(at(states_.count()), 0);
    std::vector<std::int32_t> all;
    for (std::int32_t state = 0; state < states_.count(); ++state) {
        all.push_back(state);
        lost_[at(state)] = 1;
    }
    repair(all);
}

void CartesianDistances::follow_split(std::int32_t state, std::int32_t made) {
    const Length before = lengths_[at(state)];
    lengths_.push_back(before);
    next_.push_back(next_[at(state)]);
    lost_.push_back(0);
    if (before == kNoWay) {
        return;
    }
    Nearest candidates;
    candidates.emplace(before, state);
    candidates.emplace(before, made);
    for (const std::int32_t part : {state, made}) {
        for (const auto& [label, other] : states_.incoming(part)) {
            if (next_[at(other)].other == state) {
                candidates.emplace(lengths_[at(other)], other);
            }
        }
    }
    std::vector<std::int32_t> lost;
    while (!candidates.empty()) {
        const std::int32_t one = candidates.top().second;
        candidates.pop();
        if (lost_[at(one)] != 0 || reconnect(one)) {
            continue;
        }
        lost_[at(one)] = 1;
        lost.push_back(one);
        for (const auto& [label, other] : states_.incoming(one)) {
            ++work_;
            if (lost_[at(other)] == 0 && next_[at(other)].other == one) {
                candidates.emplace(lengths_[at(other)], other);
            }
        }
    }
    repair(lost);
}

// Whether another way of the same length begins here. States that are nearer are settled.
bool CartesianDistances::reconnect(std::int32_t state) {
    const Length own = lengths_[at(state)];
    if (states_.is_goal(state)) {
        return own == 0;
    }
    for (const auto& step : states_.outgoing(state)) {
        ++work_;
        if (lost_[at(step.other)] == 0 && lengths_[at(step.other)] == own - length(step.label)) {
            next_[at(state)] = step;
            return true;
        }
    }
    return false;
}

void CartesianDistances::repair(const std::vector<std::int32_t>& lost) {
    Nearest open;
    for (const std::int32_t state : lost) {
        lengths_[at(state)] = states_.is_goal(state) ? 0 : kNoWay;
    }
    for (const std::int32_t state : lost) {
        Length& own = lengths_[at(state)];
        for (const auto& step : states_.outgoing(state)) {
            ++work_;
            if (own != 0 && lost_[at(step.other)] == 0 && lengths_[at(step.other)] != kNoWay &&
                lengths_[at(step.other)] + length(step.label) < own) {
                own = lengths_[at(step.other)] + length(step.label);
                next_[at(state)] = step;
            }
        }
        if (own != kNoWay) {
            open.emplace(own, state);
        }
    }
    while (!open.empty()) {
        const auto [own, state] = open.top();
        open.pop();
        if (own > lengths_[at(state)]) {
            continue;
        }
        for (const auto& [label, other] : states_.incoming(state)) {
            ++work_;
            if (lost_[at(other)] != 0 && own + length(label) < lengths_[at(other)]) {
                lengths_[at(other)] = own + length(label);
                next_[at(other)] = {label, state};
                open.emplace(lengths_[at(other)], other);
            }
        }
    }
    for (const std::int32_t state : lost) {
        lost_[at(state)] = 0;
    }
}

} // namespace beeline
