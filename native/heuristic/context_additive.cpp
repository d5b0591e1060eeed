#include "heuristic/context_additive.hpp"

#include <algorithm>
#include <map>

namespace beeline {

namespace {

constexpr std::int32_t kFar = 1 << 20; // no way was found, which proves nothing
constexpr std::int32_t kForGoal = -1;  // the problem number of trials for the goal

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

ContextAdditiveEstimator::ContextAdditiveEstimator(std::shared_ptr<const Task> task)
    : graphs_(task), removal_(std::move(task)) {
    find_neighbours();
    for (std::size_t variable = 0; variable < graphs_.variables().size(); ++variable) {
        first_problem_.push_back(static_cast<std::int32_t>(problems_.size()));
        problems_.resize(problems_.size() + at(graphs_.variables()[variable].values));
        variable_of_.resize(problems_.size(), static_cast<std::int32_t>(variable));
    }
}

void ContextAdditiveEstimator::find_neighbours() {
    neighbours_.resize(graphs_.variables().size());
    setups_.resize(graphs_.transitions().size());
    for (std::size_t v = 0; v < neighbours_.size(); ++v) {
        std::map<std::int32_t, std::int32_t> place;
        const auto keep = [&](std::int32_t id) {
            for (const auto& setting : graphs_.transitions()[at(id)].settings) {
                const auto [known, is_new] =
                    place.try_emplace(setting.variable, static_cast<std::int32_t>(neighbours_[v].size()));
                if (is_new) {
                    neighbours_[v].push_back(setting.variable);
                }
                setups_[at(id)].push_back({known->second, setting.variable, setting.needed, setting.left});
            }
        };
        for (const auto& leaving : graphs_.variables()[v].leaving) {
            std::for_each(leaving.begin(), leaving.end(), keep);
        }
        std::for_each(graphs_.variables()[v].from_any.begin(), graphs_.variables()[v].from_any.end(), keep);
    }
}

std::int32_t ContextAdditiveEstimator::estimate(const Word* state) {
    graphs_.values_of(state, values_);
    return evaluate();
}

std::int32_t ContextAdditiveEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    graphs_.values_of(state, values_);
    removed_ = &removal_.without(action, detail);
    const std::int32_t value = evaluate();
    removed_ = nullptr;
    return value;
}

std::int32_t ContextAdditiveEstimator::evaluate() {
    for (const std::int32_t problem : posed_) {
        problems_[at(problem)].base = -1;
    }
    posed_.clear();
    trials_.clear();
    queue_ = {};
    goal_cost_ = kFar;
    try_targets();
    // Costs grow, so that once the cheapest open value is no better than the goal nothing better follows.
    while (!queue_.empty() && queue_.top().first < goal_cost_) {
        const auto [priority, place] = queue_.top();
        queue_.pop();
        const Problem& problem = problems_[at(place.first)];
        const Node& node = problem.nodes[at(place.second)];
        if (!node.is_done && problem.base + node.cost == priority) {
            expand(place.first, place.second);
        }
    }
    return goal_cost_;
}

std::int32_t ContextAdditiveEstimator::problem_of(std::int32_t variable, std::int32_t start) const {
    return first_problem_[at(variable)] + start;
}

void ContextAdditiveEstimator::pose(std::int32_t variable, std::int32_t start, std::int32_t base) {
    const std::int32_t number = problem_of(variable, start);
    Problem& problem = problems_[at(number)];
    problem.base = base;
    problem.nodes.resize(at(graphs_.variables()[at(variable)].values));
    for (Node& node : problem.nodes) {
        node.cost = kFar;
        node.reached_by = -1;
        node.is_done = false;
        node.waiting.clear();
    }
    problem.nodes[at(start)].cost = 0;
    posed_.push_back(number);
    queue_.push({base, {number, start}});
}

void ContextAdditiveEstimator::try_targets() {
    for (std::size_t i = 0; i < graphs_.targets().size(); ++i) {
        const auto& target = graphs_.targets()[i];
        const auto trial = static_cast<std::int32_t>(trials_.size());
        trials_.push_back({kForGoal, 0, 0, static_cast<std::int32_t>(i), target.cost, 0});
        for (const auto& [variable, value] : target.conditions) {
            require(trial, variable, values_[at(variable)], value, 0);
        }
        if (trials_[at(trial)].missing == 0) {
            fire(trial);
        }
    }
}

void ContextAdditiveEstimator::expand(std::int32_t number, std::int32_t value) {
    const std::int32_t variable = variable_of_[at(number)];
    const auto& neighbours = neighbours_[at(variable)];
    Node& node = problems_[at(number)].nodes[at(value)];
    node.is_done = true;
    node.context.resize(neighbours.size());
    if (node.reached_by < 0) {
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            node.context[i] = values_[at(neighbours[i])];
        }
    } else {
        const Trial& trial = trials_[at(node.reached_by)];
        node.context = problems_[at(number)].nodes[at(trial.source)].context;
        for (const Setup& setup : setups_[at(trial.transition)]) {
            node.context[at(setup.neighbour)] = setup.left >= 0 ? setup.left : setup.needed;
        }
    }
    for (const std::int32_t trial : node.waiting) {
        trials_[at(trial)].cost = std::min(trials_[at(trial)].cost + node.cost, kFar);
        if (--trials_[at(trial)].missing == 0) {
            fire(trial);
        }
    }
    graphs_.for_each_leaving(variable, value, [&](std::int32_t id, const DomainGraphs::Transition& transition) {
        if (removed_ == nullptr || (*removed_)[at(transition.op)] == 0) {
            attempt(number, value, id);
        }
    });
}

void ContextAdditiveEstimator::attempt(std::int32_t number, std::int32_t source, std::int32_t id) {
    const auto& transition = graphs_.transitions()[at(id)];
    const std::int32_t base = problems_[at(number)].base;
    const std::int32_t reached = problems_[at(number)].nodes[at(source)].cost;
    if (problems_[at(number)].nodes[at(transition.to)].cost <= reached + transition.cost) {
        return;
    }
    const auto trial = static_cast<std::int32_t>(trials_.size());
    trials_.push_back({number, source, transition.to, id, reached + transition.cost, 0});
    for (const Setup& setup : setups_[at(id)]) {
        const std::int32_t now = problems_[at(number)].nodes[at(source)].context[at(setup.neighbour)];
        if (setup.needed >= 0) {
            require(trial, setup.variable, now, setup.needed, base + reached);
        }
    }
    if (trials_[at(trial)].missing == 0) {
        fire(trial);
    }
}

void ContextAdditiveEstimator::require(std::int32_t trial, std::int32_t variable, std::int32_t now, std::int32_t wanted,
                                       std::int32_t base) {
    if (now == wanted) {
        return;
    }
    Problem& problem = problems_[at(problem_of(variable, now))];
    if (problem.base < 0) {
        pose(variable, now, base);
    }
    Node& node = problem.nodes[at(wanted)];
    if (node.is_done) {
        trials_[at(trial)].cost = std::min(trials_[at(trial)].cost + node.cost, kFar);
    } else {
        node.waiting.push_back(trial);
        ++trials_[at(trial)].missing;
    }
}

void ContextAdditiveEstimator::fire(std::int32_t number) {
    const Trial& trial = trials_[at(number)];
    if (trial.problem == kForGoal) {
        goal_cost_ = std::min(goal_cost_, trial.cost);
        return;
    }
    Problem& problem = problems_[at(trial.problem)];
    Node& target = problem.nodes[at(trial.target)];
    if (!target.is_done && trial.cost < target.cost) {
        target.cost = trial.cost;
        target.reached_by = number;
        queue_.push({problem.base + trial.cost, {trial.problem, trial.target}});
    }
}

} // namespace beeline
