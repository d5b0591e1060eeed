#include "heuristic/relaxation.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::int32_t kLargest = 1 << 12; // costs beyond are as good as equal: there is a bucket for each

} // namespace

void Relaxation::Rows::add(const std::vector<std::int32_t>& row) {
    items.insert(items.end(), row.begin(), row.end());
    starts.push_back(static_cast<std::int32_t>(items.size()));
}

Relaxation::Relaxation(std::shared_ptr<const Task> task) : task_(std::move(task)) {
    const std::size_t facts = at(task_->facts()) + 1;
    std::vector<std::vector<std::int32_t>> achievers(facts), needing(facts);
    const auto add = [&](const std::vector<std::int32_t>& conditions, const std::vector<std::int32_t>& effects,
                         std::int32_t cost) {
        const auto op = static_cast<std::int32_t>(cost_.size());
        conditions_.add(conditions);
        effects_.add(effects);
        cost_.push_back(cost);
        condition_counts_.push_back(static_cast<std::int32_t>(conditions.size()));
        for (const std::int32_t fact : conditions) {
            needing[at(fact)].push_back(op);
        }
        for (const std::int32_t fact : effects) {
            achievers[at(fact)].push_back(op);
        }
        if (conditions.empty()) {
            unconditional_.push_back(op);
        }
    };
    for (const Operator& op : task_->operators()) {
        add(op.conditions, op.effects, op.cost);
    }
    for (const Goal& goal : task_->goals()) {
        add(goal.conditions, {goal_fact()}, goal.cost);
    }
    for (std::size_t fact = 0; fact < facts; ++fact) {
        achievers_.add(achievers[fact]);
        needing_.add(needing[fact]);
    }
    fact_cost.resize(facts);
    supporter.resize(facts);
    operator_cost.resize(cost_.size());
}

void Relaxation::reach(std::int32_t fact, std::int32_t cost, std::int32_t by) {
    if (cost >= fact_cost[at(fact)]) {
        return;
    }
    fact_cost[at(fact)] = cost;
    supporter[at(fact)] = by;
    if (buckets_.size() <= at(cost)) {
        buckets_.resize(at(cost) + 1);
    }
    buckets_[at(cost)].push_back(fact);
}

void Relaxation::enable(std::int32_t op) {
    const std::int32_t cost = std::min(operator_cost[at(op)] + cost_[at(op)], kLargest);
    for (const std::int32_t fact : effects(op)) {
        reach(fact, cost, op);
    }
}

std::int32_t Relaxation::propagate(const std::vector<std::int32_t>& facts, Join join,
                                   const std::vector<std::uint8_t>* removed, std::int32_t bound) {
    std::fill(fact_cost.begin(), fact_cost.end(), kNever);
    missing_ = condition_counts_;
    if (join == Join::kAdd) {
        std::fill(operator_cost.begin(), operator_cost.end(), 0);
    }
    for (auto& bucket : buckets_) {
        bucket.clear();
    }
    removed_ = removed;
    const auto is_removed = [&](std::int32_t op) { return removed != nullptr && (*removed)[at(op)] != 0; };
    for (const std::int32_t fact : facts) {
        reach(fact, 0, -1);
    }
    for (const std::int32_t op : unconditional_) {
        operator_cost[at(op)] = 0;
        if (!is_removed(op)) {
            enable(op);
        }
    }
    for (std::size_t cost = 0; cost < buckets_.size() && static_cast<std::int32_t>(cost) <= bound; ++cost) {
        for (std::size_t i = 0; i < buckets_[cost].size(); ++i) {
            const std::int32_t fact = buckets_[cost][i];
            if (fact_cost[at(fact)] != static_cast<std::int32_t>(cost)) {
                continue; // reached more cheaply meanwhile
            }
            if (fact == goal_fact()) {
                return static_cast<std::int32_t>(cost);
            }
            for (const std::int32_t op : needing(fact)) {
                std::int32_t& joined = operator_cost[at(op)];
                // Facts come in order of cost, so that the last one is the largest.
                joined = join == Join::kMax ? static_cast<std::int32_t>(cost)
                                            : std::min(joined + static_cast<std::int32_t>(cost), kLargest);
                if (--missing_[at(op)] == 0 && !is_removed(op)) {
                    enable(op);
                }
            }
        }
    }
    return kNever;
}

RelaxedEstimator::RelaxedEstimator(std::shared_ptr<const Task> task, RelaxedKind kind)
    : relaxation_(task), removal_(std::move(task)), kind_(kind) {
    needed_stamp_.assign(at(relaxation_.goal_fact()) + 1, 0);
    selected_stamp_.assign(relaxation_.operators(), 0);
}

std::int32_t RelaxedEstimator::estimate(const Word* state) {
    relaxation_.task().facts_of(state, facts_);
    return evaluate(nullptr);
}

std::int32_t RelaxedEstimator::evaluate(const std::vector<std::uint8_t>* removed) {
    const bool additive = kind_ == RelaxedKind::kAdd || kind_ == RelaxedKind::kFF;
    const auto join = additive ? Relaxation::Join::kAdd : Relaxation::Join::kMax;
    const std::int32_t cost = relaxation_.propagate(facts_, join, removed);
    if (cost == Relaxation::kNever || kind_ == RelaxedKind::kL || kind_ == RelaxedKind::kAdd) {
        preferred_.clear();
        return cost;
    }
    return extract();
}

// Collects the operators of an abstract way to the goal, from the last layer back to the first. A step counts once for
// each layer in which it is needed, however many of its effects are used.
std::int32_t RelaxedEstimator::extract() {
    ++stamp_;
    selected_.clear();
    preferred_.clear();
    for (auto& level : needed_) {
        level.clear();
    }
    need(relaxation_.goal_fact());
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> steps;
    for (std::size_t level = needed_.size(); level-- > 0;) {
        for (std::size_t i = 0; i < needed_[level].size(); ++i) {
            const std::int32_t fact = needed_[level][i];
            const std::int32_t op = choose(fact, static_cast<std::int32_t>(level));
            if (op < 0 || selected_stamp_[at(op)] == stamp_) {
                continue;
            }
            selected_stamp_[at(op)] = stamp_;
            selected_.push_back(op);
            for (const std::int32_t condition : relaxation_.conditions(op)) {
                need(condition);
            }
            if (relaxation_.cost(op) == 0 || relaxation_.is_goal(op)) {
                continue;
            }
            const Operator& step = relaxation_.task().operators()[at(op)];
            steps.emplace(step.action, step.second, relaxation_.operator_cost[at(op)]);
            if (relaxation_.operator_cost[at(op)] == 0) {
                preferred_.push_back(step.action);
            }
        }
    }
    std::int32_t failing = 0; // a goal that is a failing step counts itself
    for (const std::int32_t op : selected_) {
        failing += relaxation_.is_goal(op) ? relaxation_.cost(op) : 0;
    }
    return static_cast<std::int32_t>(steps.size()) + failing;
}

void RelaxedEstimator::need(std::int32_t fact) {
    const std::int32_t cost = relaxation_.fact_cost[at(fact)];
    if (needed_stamp_[at(fact)] == stamp_ || relaxation_.supporter[at(fact)] < 0) {
        return;
    }
    needed_stamp_[at(fact)] = stamp_;
    if (needed_.size() <= at(cost)) {
        needed_.resize(at(cost) + 1);
    }
    needed_[at(cost)].push_back(fact);
}

// The operator that makes a needed fact true: one already chosen, else the one that adds most of what is needed in this
// layer, else the one with the easiest conditions. hFF keeps the cheapest supporter.
std::int32_t RelaxedEstimator::choose(std::int32_t fact, std::int32_t level) {
    const std::int32_t first = relaxation_.supporter[at(fact)];
    if (kind_ == RelaxedKind::kFF || relaxation_.cost(first) == 0) {
        return first;
    }
    std::int32_t best = first;
    std::tuple<std::int32_t, std::int32_t> best_key{-1, 0};
    for (const std::int32_t op : relaxation_.achievers(fact)) {
        if (!relaxation_.enabled(op) || relaxation_.operator_cost[at(op)] + relaxation_.cost(op) > level ||
            relaxation_.cost(op) == 0) {
            continue;
        }
        if (selected_stamp_[at(op)] == stamp_) {
            return op;
        }
        std::int32_t covered = 0;
        for (const std::int32_t effect : relaxation_.effects(op)) {
            covered += needed_stamp_[at(effect)] == stamp_ && relaxation_.fact_cost[at(effect)] == level;
        }
        std::int32_t difficulty = 0;
        for (const std::int32_t condition : relaxation_.conditions(op)) {
            difficulty += relaxation_.fact_cost[at(condition)];
        }
        const std::tuple<std::int32_t, std::int32_t> key{covered, -difficulty};
        if (key > best_key) {
            best_key = key;
            best = op;
        }
    }
    return best;
}

std::int32_t RelaxedEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    relaxation_.task().facts_of(state, facts_);
    return evaluate(&removal_.without(action, detail));
}

} // namespace beeline
