#include "task/contexts.hpp"

#include <algorithm>
#include <iterator>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void sort_out(std::vector<std::int32_t>& cells) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

void append(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

Contexts::Contexts(std::shared_ptr<const Task> task, std::uint32_t levels, bool of_goal)
    : task_(std::move(task)), levels_(levels), of_goal_(of_goal), readers_(task_->program().low.size()),
      writers_(task_->program().low.size()) {
    collect();
    if (of_goal_) {
        goal_ = around_goal();
    }
}

// A step is all operators of the same edges.
void Contexts::collect() {
    for (const Operator& op : task_->operators()) {
        const StepParts parts(op.action, op.second);
        const auto [place, fresh] = number_.try_emplace(key(parts), static_cast<std::int32_t>(steps_.size()));
        if (fresh) {
            steps_.emplace_back();
            begun_by_[op.action].push_back(place->second);
        }
        Step& step = steps_[at(place->second)];
        for (const std::int32_t fact : op.conditions) {
            step.reads.push_back(task_->fact_cell(fact));
        }
        for (const std::int32_t fact : op.effects) {
            step.writes.push_back(task_->fact_cell(fact));
        }
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        sort_out(steps_[i].reads);
        sort_out(steps_[i].writes);
        for (const std::int32_t cell : steps_[i].reads) {
            readers_[at(cell)].push_back(static_cast<std::int32_t>(i));
        }
        for (const std::int32_t cell : steps_[i].writes) {
            writers_[at(cell)].push_back(static_cast<std::int32_t>(i));
        }
    }
}

std::uint32_t Contexts::level(std::uint32_t last, const StepParts& step) {
    const auto found = number_.find(key(step));
    if (found == number_.end()) {
        return 0;
    }
    if (of_goal_) {
        return goal_[at(found->second)];
    }
    auto place = known_.find(last);
    if (place == known_.end()) {
        place = known_.emplace(last, around(last)).first;
    }
    return place->second[at(found->second)];
}

Contexts::Levels Contexts::around(std::uint32_t edge) const {
    std::vector<std::int32_t> reads, writes;
    const auto begun = begun_by_.find(edge);
    if (begun == begun_by_.end()) {
        return Levels(steps_.size(), 0);
    }
    for (const std::int32_t step : begun->second) {
        append(reads, steps_[at(step)].reads);
        append(writes, steps_[at(step)].writes);
    }
    return around(std::move(reads), std::move(writes));
}

Contexts::Levels Contexts::around_goal() const {
    std::vector<std::int32_t> reads;
    for (const Goal& goal : task_->goals()) {
        for (const std::int32_t fact : goal.conditions) {
            reads.push_back(task_->fact_cell(fact));
        }
    }
    return around(std::move(reads), {});
}

// Level by level, from what reads and writes these cells on.
Contexts::Levels Contexts::around(std::vector<std::int32_t> reads, std::vector<std::int32_t> writes) const {
    Levels found(steps_.size(), static_cast<std::uint8_t>(levels_));
    std::vector<std::uint8_t> met(steps_.size(), 0);
    for (std::uint32_t level = 0; level < levels_ && !(reads.empty() && writes.empty()); ++level) {
        sort_out(reads);
        sort_out(writes);
        std::vector<std::int32_t> next_reads, next_writes;
        const auto meet = [&](const std::vector<std::int32_t>& steps) {
            for (const std::int32_t step : steps) {
                if (met[at(step)] == 0) {
                    met[at(step)] = 1;
                    found[at(step)] = static_cast<std::uint8_t>(level);
                    append(next_reads, steps_[at(step)].reads);
                    append(next_writes, steps_[at(step)].writes);
                }
            }
        };
        for (const std::int32_t cell : reads) {
            meet(writers_[at(cell)]);
        }
        for (const std::int32_t cell : writes) {
            meet(writers_[at(cell)]);
            meet(readers_[at(cell)]);
        }
        reads = std::move(next_reads);
        writes = std::move(next_writes);
    }
    return found;
}

} // namespace beeline
