#include "heuristic/relaxed_estimator.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

const std::vector<std::int32_t> kNothing;

} // namespace

RelaxedEstimator::View::View(std::shared_ptr<const Task> task, RelaxedKind kind, bool may_remove)
    : kind(kind), may_remove(may_remove), relaxation(std::move(task), may_remove) {
    if ((kind == RelaxedKind::kL || kind == RelaxedKind::kU) && RelaxedLayers::suits(relaxation)) {
        layers.emplace(relaxation);
        if (kind == RelaxedKind::kU) {
            plan.emplace(relaxation);
        }
    }
}

BatchRelaxation& RelaxedEstimator::View::clear_lanes() {
    if (!lanes.has_value()) {
        lanes.emplace(relaxation, may_remove, kind == RelaxedKind::kU);
        first_goal.emplace(relaxation);
    }
    lanes->clear();
    return *lanes;
}

RelaxedEstimator::RelaxedEstimator(std::shared_ptr<const Task> task, RelaxedKind kind)
    : task_(std::move(task)), kind_(kind) {}

RelaxedEstimator::View& RelaxedEstimator::plain() const {
    if (plain_ == nullptr) {
        plain_ = std::make_unique<View>(task_, kind_, false);
        pays_ = plain_->layers.has_value();
    }
    return *plain_;
}

std::int32_t RelaxedEstimator::estimate(const Word* state) { return evaluate(plain(), state, kNothing); }

void RelaxedEstimator::estimate_all(const std::vector<const Word*>& states, std::vector<std::int32_t>& values) {
    constexpr std::size_t kFew = 4; // too few to be worth it
    View& view = plain();
    if (!view.layers.has_value() || !pays_ || states.size() < kFew) {
        return Estimator::estimate_all(states, values);
    }
    values.clear();
    while (values.size() < states.size()) {
        const std::size_t first = values.size(), count = std::min(states.size() - first, BatchRelaxation::kCount);
        BatchRelaxation& lanes = view.clear_lanes();
        for (std::size_t i = 0; i < count; ++i) {
            view.relaxation.facts_of(states[first + i], facts_);
            lanes.add(facts_, kNothing);
        }
        lanes.propagate();
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(evaluate_lane(view, i, states[first + i], kNothing));
        }
    }
}

void RelaxedEstimator::estimate_without_each(const Word* state, const Steps& steps, std::vector<std::int32_t>& values) {
    View& view = removing();
    if (!view.layers.has_value() || !pays_ || steps.size() == 1) {
        return Estimator::estimate_without_each(state, steps, values);
    }
    values.clear();
    while (values.size() < steps.size()) {
        const std::size_t first = values.size(), count = std::min(steps.size() - first, BatchRelaxation::kCount);
        BatchRelaxation& lanes = view.clear_lanes();
        view.relaxation.facts_of(state, facts_);
        for (std::size_t i = 0; i < count; ++i) {
            lanes.add(facts_, without(steps[first + i].first, steps[first + i].second));
        }
        lanes.propagate();
        for (std::size_t i = 0; i < count; ++i) {
            const auto [action, detail] = steps[first + i];
            values.push_back(evaluate_lane(view, i, state, without(action, detail)));
        }
    }
}

std::int32_t RelaxedEstimator::evaluate_lane(View& view, std::size_t lane, const Word* state,
                                             const Operators& removed) {
    BatchRelaxation& lanes = *view.lanes;
    const std::int32_t cost = lanes.cost(lane);
    if (cost == BatchRelaxation::kNever) {
        return kDeadEnd;
    }
    pays_ &= cost != BatchRelaxation::kUnknown;
    if (cost == BatchRelaxation::kUnknown) {
        return evaluate(view, state, removed);
    }
    if (kind_ == RelaxedKind::kL) {
        return cost;
    }
    const RelaxedPlan::Levels levels = lanes.levels(lane);
    std::int32_t goal = lanes.goal(lane);
    if (goal == BatchRelaxation::kSeveral) {
        view.relaxation.facts_of(state, facts_);
        goal = view.first_goal->first_goal(levels, cost, facts_, removed);
    }
    return count_steps(view, levels, goal, cost);
}

RelaxedEstimator::View& RelaxedEstimator::removing() {
    if (removing_ == nullptr) {
        removing_ = std::make_unique<View>(task_, kind_, true);
        removal_ = std::make_unique<Removal>(task_);
    }
    return *removing_;
}

std::int32_t RelaxedEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    View& view = removing();
    return evaluate(view, state, without(action, detail));
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
    view.relaxation.facts_of(state, facts_);
    return view.layers.has_value() ? evaluate_by_layers(view, removed) : propagate(view, removed);
}

// Every operator is one step: whatever made a fact true is a step, so that nothing depends on which one was first.
std::int32_t RelaxedEstimator::evaluate_by_layers(View& view, const Operators& removed) {
    RelaxedLayers& layers = *view.layers;
    const std::int32_t cost = layers.propagate(facts_, removed);
    if (cost == RelaxedLayers::kNever) {
        return kDeadEnd;
    }
    if (cost > (kind_ == RelaxedKind::kL ? Relaxation::kLargest : RelaxedPlan::kHighest)) {
        return propagate(view, removed);
    }
    if (kind_ == RelaxedKind::kL) {
        return cost;
    }
    levels_.resize(layers.levels().size());
    std::transform(layers.levels().begin(), layers.levels().end(), levels_.begin(),
                   [](std::uint16_t level) { return std::min<std::uint16_t>(level, RelaxedPlan::kHighest + 1); });
    return count_steps(view, {levels_.data(), 0}, layers.goal(), cost);
}

std::int32_t RelaxedEstimator::count_steps(View& view, RelaxedPlan::Levels levels, std::int32_t goal,
                                           std::int32_t cost) {
    const std::int32_t steps = view.plan->steps(levels, goal, cost);
    preferred_.clear();
    for (const std::int32_t op : view.plan->first_operators()) {
        preferred_.push_back(task_->operators()[at(view.relaxation.source(op))].action);
    }
    return steps;
}

std::int32_t RelaxedEstimator::propagate(View& view, const Operators& removed) {
    Relaxation& relaxation = view.relaxation;
    const bool additive = kind_ == RelaxedKind::kAdd || kind_ == RelaxedKind::kFF;
    const auto join = additive ? Relaxation::Join::kAdd : Relaxation::Join::kMax;
    const std::int32_t cost = relaxation.propagate(facts_, join, removed);
    if (cost == Relaxation::kNever || kind_ == RelaxedKind::kL || kind_ == RelaxedKind::kAdd) {
        return cost;
    }
    needed_stamp_.resize(at(relaxation.goal_fact()) + 1, 0);
    selected_stamp_.resize(task_->operators().size() + task_->goals().size(), 0);
    return extract(relaxation, choose(relaxation, relaxation.goal_fact(), cost));
}

// Collects the operators of a relaxed plan for the goal, from the last layer back to the first. A step counts once for
// each layer in which it is needed, however many of its effects are used.
std::int32_t RelaxedEstimator::extract(const Relaxation& relaxation, std::int32_t goal) {
    counter_.begin(relaxation.steps());
    std::int32_t steps = relaxation.cost(goal); // a goal that is a failing step counts itself
    select(relaxation, goal);
    for (std::size_t level = needed_levels_.take_last(); level != LevelSet::kNone; level = needed_levels_.take_last()) {
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
            const std::int32_t cost = relaxation.operator_cost[at(op)];
            steps += counter_.is_new(relaxation.step(op), cost);
            if (cost == 0) {
                preferred_.push_back(task_->operators()[at(source)].action);
            }
        }
        needed_[level].clear();
    }
    return steps;
}

void RelaxedEstimator::select(const Relaxation& relaxation, std::int32_t op) {
    selected_stamp_[at(op)] = stamp_;
    for (const std::int32_t condition : relaxation.conditions(op)) {
        need(relaxation, condition);
    }
}

void RelaxedEstimator::need(const Relaxation& relaxation, std::int32_t fact) {
    if (needed_stamp_[at(fact)] == stamp_ || relaxation.supporter[at(fact)] < 0) {
        return;
    }
    needed_stamp_[at(fact)] = stamp_;
    const std::size_t level = at(relaxation.fact_cost[at(fact)]);
    if (needed_.size() <= level) {
        needed_.resize(level + 1);
    }
    needed_[level].push_back(fact);
    needed_levels_.insert(level);
}

// The operator that makes a needed fact true: one already chosen, else the one that adds most of what is needed in this
// layer, else the one with the easiest conditions. For hFF all of them are as cheap as can be, and of equals it takes
// the last one: measured, that leads to fewer states.
std::int32_t RelaxedEstimator::choose(const Relaxation& relaxation, std::int32_t fact, std::int32_t level) const {
    const std::int32_t first = relaxation.supporter[at(fact)];
    if (relaxation.cost(first) == 0) {
        return first;
    }
    const bool takes_last = kind_ == RelaxedKind::kFF;
    std::int32_t best = first, most = -1, least = 0;
    for (const std::int32_t op : relaxation.achievers(fact)) {
        if (relaxation.missing[at(op)] > 0 || relaxation.operator_cost[at(op)] + relaxation.cost(op) > level ||
            relaxation.cost(op) == 0) {
            continue;
        }
        if (selected_stamp_[at(op)] == stamp_) {
            return op;
        }
        std::int32_t covered = 0;
        for (const std::int32_t effect : relaxation.effects(op)) {
            covered += needed_stamp_[at(effect)] == stamp_ && relaxation.fact_cost[at(effect)] == level;
        }
        const std::int32_t sum = difficulty(relaxation, op);
        if (covered > most || (covered == most && (takes_last || sum < least))) {
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
        sum += relaxation.fact_cost[at(condition)];
    }
    return sum;
}

} // namespace beeline
