#include "heuristic/relaxed_estimator.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

const std::vector<std::int32_t> kNothing;

} // namespace

RelaxedEstimator::View::View(std::shared_ptr<const Task> task, RelaxedKind kind, bool may_remove)
    : relaxation(std::move(task), may_remove) {
    if ((kind == RelaxedKind::kL || kind == RelaxedKind::kU) && Layers::suits(relaxation)) {
        layers.emplace(relaxation);
    }
}

RelaxedEstimator::RelaxedEstimator(std::shared_ptr<const Task> task, RelaxedKind kind)
    : task_(std::move(task)), kind_(kind) {
    needed_stamp_.assign(at(task_->facts()) + 1, 0);
    selected_stamp_.assign(task_->operators().size() + task_->goals().size(), 0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> steps;
    for (const Operator& op : task_->operators()) {
        const auto next = static_cast<std::int32_t>(steps.size());
        step_of_operator_.push_back(steps.try_emplace({op.action, op.second}, next).first->second);
    }
    step_stamp_.assign(steps.size(), 0);
    step_first_.assign(steps.size(), 0);
}

std::int32_t RelaxedEstimator::estimate(const Word* state) {
    if (plain_ == nullptr) {
        plain_ = std::make_unique<View>(task_, kind_, false);
    }
    return evaluate(*plain_, state, kNothing);
}

std::int32_t RelaxedEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    if (removing_ == nullptr) {
        removing_ = std::make_unique<View>(task_, kind_, true);
        removal_ = std::make_unique<Removal>(task_);
    }
    return evaluate(*removing_, state, without(action, detail));
}

const RelaxedEstimator::Operators& RelaxedEstimator::without(std::uint32_t action, std::uint32_t detail) {
    const std::uint64_t key = (std::uint64_t{action} << 32) | detail;
    const auto [place, fresh] = without_.try_emplace(key);
    if (fresh) {
        const std::vector<std::uint8_t>& removed = removal_->without(action, detail);
        for (std::int32_t op = 0; op < removing_->relaxation.first_goal(); ++op) {
            if (removed[at(removing_->relaxation.source(op))] != 0) {
                place->second.push_back(op);
            }
        }
    }
    return place->second;
}

std::int32_t RelaxedEstimator::evaluate(View& view, const Word* state, const Operators& removed) {
    preferred_.clear();
    ++stamp_;
    task_->facts_of(state, facts_);
    return view.layers.has_value() ? evaluate_by_layers(view, removed) : propagate(view, removed);
}

// Every operator is one step: whatever made a fact true is a step, so that nothing depends on which one was first.
std::int32_t RelaxedEstimator::evaluate_by_layers(View& view, const Operators& removed) {
    Layers& layers = *view.layers;
    const std::int32_t cost = layers.propagate(facts_, removed);
    if (cost == Layers::kNever) {
        return kDeadEnd;
    }
    if (cost > Relaxation::kLargest) {
        return propagate(view, removed);
    }
    if (kind_ == RelaxedKind::kL) {
        return cost;
    }
    costs_ = {layers.fact_costs().data(), layers.operator_costs().data(), nullptr, nullptr};
    const bool fails = view.relaxation.cost(layers.goal()) != 0;
    const std::int32_t goal = fails ? choose(view.relaxation, view.relaxation.goal_fact(), cost) : layers.goal();
    return extract(view.relaxation, goal);
}

std::int32_t RelaxedEstimator::propagate(View& view, const Operators& removed) {
    Relaxation& relaxation = view.relaxation;
    const bool additive = kind_ == RelaxedKind::kAdd || kind_ == RelaxedKind::kFF;
    const auto join = additive ? Relaxation::Join::kAdd : Relaxation::Join::kMax;
    const std::int32_t cost = relaxation.propagate(facts_, join, removed);
    if (cost == Relaxation::kNever || kind_ == RelaxedKind::kL || kind_ == RelaxedKind::kAdd) {
        return cost;
    }
    costs_ = {relaxation.fact_cost.data(), relaxation.operator_cost.data(), relaxation.missing.data(),
              relaxation.supporter.data()};
    return extract(relaxation, choose(relaxation, relaxation.goal_fact(), cost));
}

// Collects the operators of an abstract way to the goal, from the last layer back to the first. A step counts once for
// each layer in which it is needed, however many of its effects are used.
std::int32_t RelaxedEstimator::extract(const Relaxation& relaxation, std::int32_t goal) {
    counted_.clear();
    for (auto& level : needed_) {
        level.clear();
    }
    std::int32_t steps = relaxation.cost(goal); // a goal that is a failing step counts itself
    select(relaxation, goal);
    for (std::size_t level = needed_.size(); level-- > 0;) {
        for (std::size_t i = 0; i < needed_[level].size(); ++i) {
            const std::int32_t op = choose(relaxation, needed_[level][i], static_cast<std::int32_t>(level));
            if (selected_stamp_[at(op)] == stamp_) {
                continue;
            }
            select(relaxation, op);
            if (relaxation.cost(op) == 0) {
                continue;
            }
            const std::int32_t source = relaxation.source(op);
            steps += is_new_step(step_of_operator_[at(source)], costs_.operators[op]);
            if (costs_.operators[op] == 0) {
                preferred_.push_back(task_->operators()[at(source)].action);
            }
        }
    }
    return steps;
}

bool RelaxedEstimator::is_new_step(std::int32_t step, std::int32_t cost) {
    const bool first = step_stamp_[at(step)] != stamp_;
    for (std::int32_t i = first ? -1 : step_first_[at(step)]; i >= 0; i = counted_[at(i)].next) {
        if (counted_[at(i)].cost == cost) {
            return false;
        }
    }
    counted_.push_back({cost, first ? -1 : step_first_[at(step)]});
    step_first_[at(step)] = static_cast<std::int32_t>(counted_.size()) - 1;
    step_stamp_[at(step)] = stamp_;
    return true;
}

void RelaxedEstimator::select(const Relaxation& relaxation, std::int32_t op) {
    selected_stamp_[at(op)] = stamp_;
    for (const std::int32_t condition : relaxation.conditions(op)) {
        need(condition);
    }
}

void RelaxedEstimator::need(std::int32_t fact) {
    if (needed_stamp_[at(fact)] == stamp_ || costs_.given(fact)) {
        return;
    }
    needed_stamp_[at(fact)] = stamp_;
    const std::size_t level = at(costs_.facts[fact]);
    if (needed_.size() <= level) {
        needed_.resize(level + 1);
    }
    needed_[level].push_back(fact);
}

// The operator that makes a needed fact true: one already chosen, else the one that adds most of what is needed in this
// layer, else the one with the easiest conditions. hFF keeps the cheapest supporter.
std::int32_t RelaxedEstimator::choose(const Relaxation& relaxation, std::int32_t fact, std::int32_t level) const {
    if (costs_.supporter != nullptr) {
        const std::int32_t first = costs_.supporter[fact];
        if (kind_ == RelaxedKind::kFF || relaxation.cost(first) == 0) {
            return first;
        }
    }
    std::int32_t best = -1, most = -1, least = 0;
    for (const std::int32_t op : relaxation.achievers(fact)) {
        if (!costs_.enabled(op) || costs_.operators[op] + relaxation.cost(op) > level || relaxation.cost(op) == 0) {
            continue;
        }
        if (selected_stamp_[at(op)] == stamp_) {
            return op;
        }
        std::int32_t covered = 0;
        for (const std::int32_t effect : relaxation.effects(op)) {
            covered += needed_stamp_[at(effect)] == stamp_ && costs_.facts[effect] == level;
        }
        const std::int32_t sum = difficulty(relaxation, op);
        if (covered > most || (covered == most && sum < least)) {
            best = op;
            most = covered;
            least = sum;
        }
    }
    return best;
}

std::int32_t RelaxedEstimator::difficulty(const Relaxation& relaxation, std::int32_t op) const {
    std::int32_t sum = 0;
    for (const std::int32_t condition : relaxation.conditions(op)) {
        sum += costs_.facts[condition];
    }
    return sum;
}

} // namespace beeline
