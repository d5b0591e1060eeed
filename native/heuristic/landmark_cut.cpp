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
    base_.resize(first_costs_.size());
    is_near_.resize(first_costs_.size());
    fact_cost_.resize(at(relaxation_.goal_fact()) + 1);
    settled_.resize(fact_cost_.size());
    zone_.resize(fact_cost_.size(), kElsewhere);
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
            first_costs_[at(op)] = first_costs_[at(payer)];
        }
    }
    for (std::size_t op = 0; op < payer_.size(); ++op) {
        paid_[at(payer_[op])].push_back(static_cast<std::int32_t>(op));
    }
}

std::int32_t LandmarkCut::estimate(const Word* state) {
    begin(state);
    propagate(Pass::kFirst);
    if (goal_cost() == kNever) {
        return kDeadEnd;
    }
    const std::int32_t longest = goal_cost(); // can be more than the sum where a broadcast pays for several operators
    std::int32_t total = 0;
    while (goal_cost() > 0) {
        find_zone();
        find_cut();
        total += pay_for_cut();
        propagate(Pass::kAgain);
    }
    return std::max(total, longest);
}

void LandmarkCut::begin(const Word* state) {
    relaxation_.facts_of(state, facts_);
    std::fill(fact_cost_.begin(), fact_cost_.end(), kNever);
    std::fill(settled_.begin(), settled_.end(), kNever);
    costs_ = first_costs_;
    missing_ = first_missing_;
    buckets_.resize(std::max<std::size_t>(buckets_.size(), 1));
    for (const std::int32_t fact : facts_) {
        put(fact, 0);
    }
    for (const std::int32_t op : unconditional_) {
        base_[at(op)] = 0;
        lower(op);
    }
}

// Settles what facts cost, the cheapest first, as long as they cost less than the goal: what the others cost makes no
// difference any more, since the goal only gets cheaper. After a cut it is looked first how far operators that cost
// nothing lead: that is mostly to the goal, and then nothing is left to settle.
void LandmarkCut::propagate(Pass pass) {
    for (std::size_t level = lowest_; level < buckets_.size(); ++level) {
        if (static_cast<std::int32_t>(level) < goal_cost() && (pass == Pass::kFirst || !leads_to_goal(level))) {
            settle(level, pass);
        }
        buckets_[level].clear();
    }
    lowest_ = buckets_.size();
}

// Whether operators that cost nothing lead from facts of that cost to the goal.
bool LandmarkCut::leads_to_goal(std::size_t level) {
    const auto cost = static_cast<std::int32_t>(level);
    const auto is_there = [this, cost](std::int32_t fact) { return fact_cost_[at(fact)] <= cost; };
    for (std::size_t i = 0; i < buckets_[level].size(); ++i) {
        for (const std::int32_t op : relaxation_.needing(buckets_[level][i])) {
            if (costs_[at(op)] > 0) {
                continue;
            }
            const auto conditions = relaxation_.conditions(op);
            if (std::all_of(conditions.begin(), conditions.end(), is_there)) {
                for (const std::int32_t fact : relaxation_.effects(op)) {
                    put(fact, cost);
                }
                if (goal_cost() <= cost) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Tells the operators that need facts of that cost.
void LandmarkCut::settle(std::size_t level, Pass pass) {
    const auto cost = static_cast<std::int32_t>(level);
    for (std::size_t i = 0; i < buckets_[level].size() && cost < goal_cost(); ++i) {
        const std::int32_t fact = buckets_[level][i];
        if (fact_cost_[at(fact)] != cost) {
            continue; // cheaper meanwhile
        }
        const std::int32_t before = std::exchange(settled_[at(fact)], cost);
        const std::int32_t news = before == kNever;
        for (const std::int32_t op : relaxation_.needing(fact)) {
            missing_[at(op)] -= news;
            if (missing_[at(op)] == 0 && (news != 0 || base_[at(op)] == before)) {
                base_[at(op)] = pass == Pass::kFirst ? cost : dearest_settled(op);
                lower(op);
            }
        }
    }
}

std::int32_t LandmarkCut::dearest_settled(std::int32_t op) const {
    std::int32_t most = 0;
    for (const std::int32_t fact : relaxation_.conditions(op)) {
        most = std::max(most, settled_[at(fact)]);
    }
    return most;
}

// The effects of an operator may be cheaper than they were.
void LandmarkCut::lower(std::int32_t op) {
    const std::int32_t cost = base_[at(op)] + costs_[at(op)];
    for (const std::int32_t fact : relaxation_.effects(op)) {
        put(fact, cost);
    }
}

void LandmarkCut::put(std::int32_t fact, std::int32_t cost) {
    if (cost >= fact_cost_[at(fact)]) {
        return;
    }
    fact_cost_[at(fact)] = cost;
    if (cost < goal_cost()) {
        if (buckets_.size() <= at(cost)) {
            buckets_.resize(at(cost) + 1);
        }
        buckets_[at(cost)].push_back(fact);
        lowest_ = std::min(lowest_, at(cost));
    }
}

// Whether all its conditions cost less than the goal.
bool LandmarkCut::is_cheap(std::int32_t op) const { return missing_[at(op)] == 0 && base_[at(op)] < goal_cost(); }

// The facts from which operators that cost nothing any more lead to the goal. None costs less than the goal.
void LandmarkCut::find_zone() {
    for (const std::int32_t fact : zone_facts_) {
        zone_[at(fact)] = kElsewhere;
    }
    std::fill(is_near_.begin(), is_near_.end(), 0);
    zone_facts_.clear();
    near_.clear();
    add_to_zone(relaxation_.goal_fact());
    for (std::size_t i = 0; i < zone_facts_.size(); ++i) {
        for (const std::int32_t op : relaxation_.achievers(zone_facts_[i])) {
            if (std::exchange(is_near_[at(op)], 1) != 0) {
                continue;
            }
            if (costs_[at(op)] > 0) {
                near_.push_back(op);
            } else if (const std::int32_t dearest = supporter(op); zone_[at(dearest)] != kNearGoal) {
                add_to_zone(dearest);
            }
        }
    }
}

void LandmarkCut::add_to_zone(std::int32_t fact) {
    zone_[at(fact)] = kNearGoal;
    zone_facts_.push_back(fact);
}

// The dearest condition. Any that costs no less than the goal will do: one in the zone keeps the cut small.
std::int32_t LandmarkCut::supporter(std::int32_t op) const {
    std::int32_t dearest = kNone, most = -1;
    for (const std::int32_t fact : relaxation_.conditions(op)) {
        if (zone_[at(fact)] == kNearGoal) {
            return fact;
        }
        if (fact_cost_[at(fact)] > most) {
            most = fact_cost_[at(fact)];
            dearest = fact;
        }
    }
    return dearest;
}

// The operators that lead into that zone from what the state leads to without it, by supporters alone. What costs less
// than the goal is never behind the zone, in which nothing does.
void LandmarkCut::find_cut() {
    cut_.clear();
    for (const std::int32_t op : near_) {
        if (is_cheap(op) || is_before(supporter(op))) {
            cut_.push_back(op);
        }
    }
    forget(0);
}

// Whether the state leads to a fact that costs no less than the goal, without the zone.
bool LandmarkCut::is_before(std::int32_t fact) {
    if (zone_[at(fact)] != kElsewhere) {
        return zone_[at(fact)] == kBefore;
    }
    const std::size_t first = marked_.size();
    mark(fact, kCutOff);
    for (std::size_t next = first; next < marked_.size(); ++next) {
        for (const std::int32_t op : relaxation_.achievers(marked_[next])) {
            if (is_near_[at(op)] != 0) {
                continue;
            }
            const std::int32_t dearest = is_cheap(op) ? kNone : supporter(op);
            if (dearest == kNone || zone_[at(dearest)] == kBefore) {
                forget(first);
                mark(fact, kBefore);
                return true;
            }
            if (zone_[at(dearest)] == kElsewhere) {
                mark(dearest, kCutOff);
            }
        }
    }
    return false;
}

void LandmarkCut::mark(std::int32_t fact, Zone zone) {
    zone_[at(fact)] = zone;
    marked_.push_back(fact);
}

void LandmarkCut::forget(std::size_t first) {
    for (std::size_t i = first; i < marked_.size(); ++i) {
        zone_[at(marked_[i])] = kElsewhere;
    }
    marked_.resize(first);
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
        for (const std::int32_t op : paid_[at(payer)]) {
            costs_[at(op)] -= least;
            if (is_cheap(op)) {
                lower(op);
            }
        }
    }
    return least;
}

} // namespace beeline
