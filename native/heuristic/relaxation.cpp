#include "heuristic/relaxation.hpp"

#include "task/simplify.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

void Relaxation::Rows::add(const std::vector<std::int32_t>& row) {
    items.insert(items.end(), row.begin(), row.end());
    starts.push_back(static_cast<std::int32_t>(items.size()));
}

Relaxation::Relaxation(std::shared_ptr<const Task> task, bool may_remove) : task_(std::move(task)) {
    const std::size_t facts = at(task_->facts()) + 1;
    std::vector<std::vector<std::int32_t>> achievers(facts), needing(facts);
    for (const RelaxedStep& step : relevant_steps(*task_, may_remove)) {
        const auto op = static_cast<std::int32_t>(cost_.size());
        conditions_.add(step.conditions);
        effects_.add(step.effects);
        cost_.push_back(step.cost);
        source_.push_back(step.source);
        first_goal_ += step.source >= 0;
        condition_counts_.push_back(static_cast<std::int32_t>(step.conditions.size()));
        for (const std::int32_t fact : step.conditions) {
            needing[at(fact)].push_back(op);
        }
        for (const std::int32_t fact : step.effects) {
            achievers[at(fact)].push_back(op);
        }
        if (step.conditions.empty()) {
            unconditional_.push_back(op);
        }
    }
    for (std::size_t fact = 0; fact < facts; ++fact) {
        achievers_.add(achievers[fact]);
        needing_.add(needing[fact]);
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
    const auto name = [this](std::int32_t op) {
        const Operator& source = task_->operators()[at(source_[at(op)])];
        return std::pair(source.action, source.second);
    };
    std::vector<std::int32_t> order(at(first_goal_));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return name(a) < name(b); });
    step_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        steps_ += i == 0 || name(order[i]) != name(order[i - 1]);
        step_[at(order[i])] = static_cast<std::int32_t>(steps_) - 1;
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
}

void Relaxation::enable(std::int32_t op) {
    const std::int32_t cost = std::min(operator_cost[at(op)] + cost_[at(op)], kLargest);
    for (const std::int32_t fact : effects(op)) {
        reach(fact, cost, op);
    }
}

std::int32_t Relaxation::propagate(const std::vector<std::int32_t>& facts, Join join,
                                   const std::vector<std::int32_t>& removed) {
    std::fill(fact_cost.begin(), fact_cost.end(), kNever);
    missing = condition_counts_;
    if (join == Join::kAdd) {
        std::fill(operator_cost.begin(), operator_cost.end(), 0);
    }
    for (auto& bucket : buckets_) {
        bucket.clear();
    }
    std::fill(absent_.begin(), absent_.end(), 0);
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
    for (std::size_t cost = 0; cost < buckets_.size(); ++cost) {
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
                if (--missing[at(op)] == 0 && absent_[at(op)] == 0) {
                    enable(op);
                }
            }
        }
    }
    return kNever;
}

} // namespace beeline
