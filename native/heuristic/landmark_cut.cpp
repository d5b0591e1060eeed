#include "heuristic/landmark_cut.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

bool may_broadcast(const Program& program, std::uint32_t action) {
    const EdgeRow& edge = program.edges[action];
    if (!edge.is(Sync::Send)) {
        return false;
    }
    const auto broadcasts = [](const ChannelPlace& channel) { return channel.broadcast != 0; };
    return edge.channel_block < 0 ? broadcasts(program.channels[at(edge.channel - 1)])
                                  : std::any_of(program.channels.begin(), program.channels.end(), broadcasts);
}

} // namespace

LandmarkCut::LandmarkCut(std::shared_ptr<const Task> task) : task_(std::move(task)), relaxation_(task_, false) {
    const std::size_t edges = task_->program().edges.size();
    const auto operators = static_cast<std::int32_t>(relaxation_.operators());
    for (std::int32_t op = 0; op < operators; ++op) {
        const bool is_monitor =
            !relaxation_.is_goal(op) && task_->operators()[at(relaxation_.source(op))].action > edges;
        first_costs_.push_back(is_monitor ? 0 : relaxation_.cost(op));
        payer_.push_back(op);
        first_missing_.push_back(static_cast<std::int32_t>(relaxation_.conditions(op).size()));
        if (first_missing_.back() == 0) {
            unconditional_.push_back(op);
        }
    }
    share_costs();
    fact_cost_.resize(at(relaxation_.goal_fact()) + 1);
    zone_.resize(fact_cost_.size());
    base_.resize(first_costs_.size());
    supporter_.resize(first_costs_.size());
}

// A broadcast is an operator for each of its receivers, which take part in the same step: they have one cost together.
void LandmarkCut::share_costs() {
    std::vector<std::int32_t> first(task_->program().edges.size(), kNone); // operator of an action
    paid_.resize(first_costs_.size());
    for (std::int32_t op = 0; op < relaxation_.first_goal(); ++op) {
        const std::uint32_t action = task_->operators()[at(relaxation_.source(op))].action;
        if (first_costs_[at(op)] > 0 && action < first.size() && may_broadcast(task_->program(), action)) {
            std::int32_t& payer = first[action];
            payer = payer == kNone ? op : payer;
            payer_[at(op)] = payer;
        }
    }
    for (std::size_t op = 0; op < payer_.size(); ++op) {
        paid_[at(payer_[op])].push_back(static_cast<std::int32_t>(op));
    }
}

std::int32_t LandmarkCut::estimate(const Word* state) {
    relaxation_.facts_of(state, facts_);
    costs_ = first_costs_;
    propagate_all();
    const std::int32_t& goal = fact_cost_[at(relaxation_.goal_fact())];
    if (goal == kNever) {
        return kDeadEnd;
    }
    std::int32_t total = 0;
    while (goal > 0) {
        find_goal_zone();
        find_cut();
        total += pay_for_cut();
        propagate([this](std::int32_t op, std::int32_t fact) { support_anew(op, fact); });
    }
    return total;
}

std::int32_t LandmarkCut::pay_for_cut() {
    for (std::int32_t& op : cut_) {
        op = payer_[at(op)];
    }
    std::sort(cut_.begin(), cut_.end());
    cut_.erase(std::unique(cut_.begin(), cut_.end()), cut_.end());
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t payer : cut_) {
        least = std::min(least, costs_[at(payer)]);
    }
    for (const std::int32_t payer : cut_) {
        costs_[at(payer)] -= least;
        for (const std::int32_t op : paid_[at(payer)]) {
            if (missing_[at(op)] == 0) {
                lower(op);
            }
        }
    }
    return least;
}

void LandmarkCut::propagate_all() {
    std::fill(fact_cost_.begin(), fact_cost_.end(), kNever);
    missing_ = first_missing_;
    for (auto& bucket : buckets_) {
        bucket.clear();
    }
    buckets_.resize(std::max<std::size_t>(buckets_.size(), 1));
    for (const std::int32_t fact : facts_) {
        fact_cost_[at(fact)] = 0;
        buckets_[0].push_back(fact);
    }
    for (const std::int32_t op : unconditional_) {
        enable(op, kNone, 0);
    }
    // Facts come in the order of their costs: the last condition of an operator is its dearest.
    propagate([this](std::int32_t op, std::int32_t fact) {
        if (--missing_[at(op)] == 0) {
            enable(op, fact, fact_cost_[at(fact)]);
        }
    });
}

void LandmarkCut::enable(std::int32_t op, std::int32_t supporter, std::int32_t cost) {
    supporter_[at(op)] = supporter;
    base_[at(op)] = cost;
    lower(op);
}

// The effects of an operator may be cheaper than they were.
void LandmarkCut::lower(std::int32_t op) {
    const std::int32_t cost = base_[at(op)] + costs_[at(payer_[at(op)])];
    for (const std::int32_t fact : relaxation_.effects(op)) {
        if (cost < fact_cost_[at(fact)]) {
            fact_cost_[at(fact)] = cost;
            if (buckets_.size() <= at(cost)) {
                buckets_.resize(at(cost) + 1);
            }
            buckets_[at(cost)].push_back(fact);
        }
    }
}

// Tells the operators that need a fact that it became cheaper, the cheapest fact first. No early end at the goal: cuts
// need all supporters.
template <class Tell>
void LandmarkCut::propagate(const Tell& tell) {
    for (std::size_t cost = 0; cost < buckets_.size(); ++cost) {
        for (std::size_t i = 0; i < buckets_[cost].size(); ++i) {
            const std::int32_t fact = buckets_[cost][i];
            if (fact_cost_[at(fact)] != static_cast<std::int32_t>(cost)) {
                continue; // cheaper meanwhile
            }
            for (const std::int32_t op : relaxation_.needing(fact)) {
                tell(op, fact);
            }
        }
        buckets_[cost].clear();
    }
}

// The dearest condition became cheaper: another may be the dearest now.
void LandmarkCut::support_anew(std::int32_t op, std::int32_t fact) {
    if (missing_[at(op)] > 0 || supporter_[at(op)] != fact) {
        return;
    }
    const auto conditions = relaxation_.conditions(op);
    const auto is_cheaper = [this](std::int32_t a, std::int32_t b) { return fact_cost_[at(a)] < fact_cost_[at(b)]; };
    const std::int32_t dearest = *std::max_element(conditions.begin(), conditions.end(), is_cheaper);
    supporter_[at(op)] = dearest;
    if (fact_cost_[at(dearest)] < base_[at(op)]) {
        base_[at(op)] = fact_cost_[at(dearest)];
        lower(op);
    }
}

// The facts from which operators that cost nothing any more lead to the goal.
void LandmarkCut::find_goal_zone() {
    std::fill(zone_.begin(), zone_.end(), kElsewhere);
    waiting_.assign(1, relaxation_.goal_fact());
    zone_[at(relaxation_.goal_fact())] = kNearGoal;
    while (!waiting_.empty()) {
        const std::int32_t fact = waiting_.back();
        waiting_.pop_back();
        for (const std::int32_t op : relaxation_.achievers(fact)) {
            if (missing_[at(op)] > 0 || costs_[at(payer_[at(op)])] > 0) {
                continue;
            }
            const std::int32_t supporter = supporter_[at(op)];
            if (supporter != kNone && zone_[at(supporter)] == kElsewhere) {
                zone_[at(supporter)] = kNearGoal;
                waiting_.push_back(supporter);
            }
        }
    }
}

// The operators that lead into that zone from what the state leads to without it, by supporters alone.
void LandmarkCut::find_cut() {
    cut_.clear();
    for (const std::int32_t fact : facts_) {
        if (zone_[at(fact)] == kElsewhere) {
            zone_[at(fact)] = kBefore;
            waiting_.push_back(fact);
        }
    }
    for (const std::int32_t op : unconditional_) {
        cross(op);
    }
    while (!waiting_.empty()) {
        const std::int32_t fact = waiting_.back();
        waiting_.pop_back();
        for (const std::int32_t op : relaxation_.needing(fact)) {
            if (missing_[at(op)] == 0 && supporter_[at(op)] == fact) {
                cross(op);
            }
        }
    }
}

void LandmarkCut::cross(std::int32_t op) {
    const auto effects = relaxation_.effects(op);
    if (std::any_of(effects.begin(), effects.end(),
                    [this](std::int32_t fact) { return zone_[at(fact)] == kNearGoal; })) {
        cut_.push_back(op);
        return;
    }
    for (const std::int32_t fact : effects) {
        if (zone_[at(fact)] == kElsewhere) {
            zone_[at(fact)] = kBefore;
            waiting_.push_back(fact);
        }
    }
}

} // namespace beeline
