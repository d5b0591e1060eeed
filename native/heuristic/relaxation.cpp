#include "heuristic/relaxation.hpp"

#include "task/simplify.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

Relaxation::Relaxation(std::shared_ptr<const Task> task, bool may_remove) : task_(std::move(task)) {
    const std::size_t facts = at(task_->facts()) + 1;
    RelaxedSteps steps = relevant_steps(*task_, may_remove);
    conditions_ = std::move(steps.conditions);
    effects_ = std::move(steps.effects);
    cost_ = std::move(steps.cost);
    source_ = std::move(steps.source);
    achievers_ = effects_.inverted(facts);
    needing_ = conditions_.inverted(facts);
    for (std::size_t i = 0; i < cost_.size(); ++i) {
        const auto op = static_cast<std::int32_t>(i);
        first_goal_ += source(op) >= 0;
        condition_counts_.push_back(static_cast<std::int32_t>(conditions(op).size()));
        if (conditions(op).size() == 0) {
            unconditional_.push_back(op);
        }
    }
    fact_cost.resize(facts);
    supporter.resize(facts);
    operator_cost.resize(cost_.size());
    absent_.resize(cost_.size());
    number_steps();
    make_readers();
}

void Relaxation::make_readers() {
    constexpr std::uint32_t kLargestTable = 8192;
    std::vector<std::uint8_t> is_asked(task_->program().packing.size(), 0);
    for (std::int32_t fact = 0; fact < goal_fact(); ++fact) {
        is_asked[at(task_->fact_cell(fact))] |= needing(fact).size() > 0;
    }
    for (const std::int32_t cell : task_->cells()) {
        if (is_asked[at(cell)] == 0) {
            continue;
        }
        const Packing& place = task_->program().packing[at(cell)];
        const bool is_small = place.mask < kLargestTable;
        const auto first = is_small ? static_cast<std::int64_t>(table_.size()) : -1;
        readers_.push_back({place.word, place.shift, place.mask, place.low, cell, first});
        for (std::uint32_t i = 0; is_small && i <= place.mask; ++i) {
            const std::int64_t value = std::int64_t{place.low} + i;
            const bool is_possible =
                value >= task_->program().low[at(cell)] && value <= task_->program().high[at(cell)];
            table_.push_back(is_possible ? asked_fact(cell, static_cast<std::int32_t>(value)) : -1);
        }
    }
}

std::int32_t Relaxation::asked_fact(std::int32_t cell, std::int32_t value) const {
    const std::int32_t fact = task_->fact(cell, value);
    return fact >= 0 && needing(fact).size() > 0 ? fact : -1;
}

void Relaxation::facts_of(const Word* state, std::vector<std::int32_t>& out) const {
    out.resize(readers_.size());
    std::size_t count = 0;
    for (const Reader& reader : readers_) {
        const std::uint32_t bits = state[reader.word] >> reader.shift & reader.mask;
        const std::int32_t fact =
            reader.first >= 0
                ? table_[static_cast<std::size_t>(reader.first) + bits]
                : asked_fact(reader.cell, static_cast<std::int32_t>(static_cast<std::uint32_t>(reader.low) + bits));
        out[count] = fact;
        count += fact >= 0;
    }
    out.resize(count);
}

void Relaxation::number_steps() {
    std::vector<std::pair<std::uint64_t, std::int32_t>> named(at(first_goal_));
    for (std::int32_t op = 0; op < first_goal_; ++op) {
        const Operator& step = task_->operators()[at(source(op))];
        named[at(op)] = {std::uint64_t{step.action} << 32 | step.second, op};
    }
    std::sort(named.begin(), named.end());
    step_.resize(named.size());
    for (std::size_t i = 0; i < named.size(); ++i) {
        steps_ += i == 0 || named[i].first != named[i - 1].first;
        step_[at(named[i].second)] = static_cast<std::int32_t>(steps_) - 1;
    }
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
    filled_.insert(at(cost));
}

void Relaxation::enable(std::int32_t op) {
    const std::int32_t cost = std::min(operator_cost[at(op)] + cost_[at(op)], kLargest);
    for (const std::int32_t fact : effects(op)) {
        reach(fact, cost, op);
    }
}

std::int32_t Relaxation::propagate(const std::vector<std::int32_t>& facts, Join join,
                                   const std::vector<std::int32_t>& removed) {
    begin(facts, join, removed);
    const std::int32_t cost = join == Join::kMax ? spread<Join::kMax>() : spread<Join::kAdd>();
    for (const std::int32_t op : removed) {
        absent_[at(op)] = 0;
    }
    return cost;
}

void Relaxation::begin(const std::vector<std::int32_t>& facts, Join join, const std::vector<std::int32_t>& removed) {
    std::fill(fact_cost.begin(), fact_cost.end(), kNever);
    missing = condition_counts_;
    if (join == Join::kAdd) {
        std::fill(operator_cost.begin(), operator_cost.end(), 0);
    }
    for (std::size_t cost = filled_.next(0); cost != LevelSet::kNone; cost = filled_.next(cost + 1)) {
        buckets_[cost].clear();
    }
    filled_.clear();
    for (const std::int32_t op : removed) {
        absent_[at(op)] = 1;
    }
    for (const std::int32_t fact : facts) {
        reach(fact, 0, -1);
    }
    for (const std::int32_t op : unconditional_) {
        operator_cost[at(op)] = 0;
        if (absent_[at(op)] == 0) {
            enable(op);
        }
    }
}

// Facts come in order of cost, so that the last condition is the dearest.
template <Relaxation::Join join>
std::int32_t Relaxation::spread() {
    constexpr bool kAdds = join == Join::kAdd;
    for (std::size_t level = filled_.next(0); level != LevelSet::kNone; level = filled_.next(level + 1)) {
        const auto cost = static_cast<std::int32_t>(level);
        for (std::size_t next = 0; next < buckets_[level].size();) {
            const std::int32_t fact = kAdds ? buckets_[level].back() : buckets_[level][next++];
            if constexpr (kAdds) {
                buckets_[level].pop_back();
            }
            if (fact_cost[at(fact)] != cost) {
                continue; // reached more cheaply meanwhile
            }
            if (fact == goal_fact()) {
                return cost;
            }
            for (const std::int32_t op : needing(fact)) {
                std::int32_t& joined = operator_cost[at(op)];
                joined = kAdds ? std::min(joined + cost, kLargest) : cost;
                if (--missing[at(op)] == 0 && absent_[at(op)] == 0) {
                    enable(op);
                }
            }
        }
    }
    return kNever;
}

} // namespace beeline
