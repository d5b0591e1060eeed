#include "task/task.hpp"

#include "task/grounder.hpp"

#include <algorithm>
#include <functional>

namespace beeline {

namespace {

constexpr std::int64_t kDirectSpan = 4096; // domains up to here are looked up in an array

} // namespace

Task::Task(std::shared_ptr<const Program> program, bool with_errors, TaskLimits limits) : program_(std::move(program)) {
    Allowance endless;
    find(with_errors, limits, endless);
}

Task::Task(std::shared_ptr<const Program> program, bool with_errors, TaskLimits limits, Allowance& allowance)
    : program_(std::move(program)) {
    find(with_errors, limits, allowance);
}

void Task::find(bool with_errors, TaskLimits limits, Allowance& allowance) {
    Grounder(*this, with_errors, limits, allowance).run();
    if (late_) {
        operators_ = {};
        goals_ = {};
        return give_back_free_memory(); // the search will need it
    }
    index();
}

void Task::index() {
    direct_.resize(facts_by_cell_.size());
    for (std::size_t cell = 0; cell < facts_by_cell_.size(); ++cell) {
        if (wild_[cell] != 0 || facts_by_cell_[cell].size() < 2) {
            continue; // a cell that never changes tells nothing
        }
        cells_.push_back(static_cast<std::int32_t>(cell));
        const std::int64_t span = std::int64_t{program_->high[cell]} - program_->low[cell] + 1;
        if (span > kDirectSpan) {
            continue;
        }
        direct_[cell].assign(static_cast<std::size_t>(span), -1);
        for (const std::int32_t found : facts_by_cell_[cell]) {
            direct_[cell][static_cast<std::size_t>(fact_value(found) - program_->low[cell])] = found;
        }
    }
}

std::size_t Task::failures() const {
    return static_cast<std::size_t>(std::count_if(goals_.begin(), goals_.end(), std::mem_fn(&Goal::failure)));
}

Task Task::without_failures() const {
    Task rest(*this);
    std::erase_if(rest.goals_, std::mem_fn(&Goal::failure));
    return rest;
}

std::int32_t Task::fact(std::int32_t cell, std::int32_t value) const {
    const auto place = static_cast<std::size_t>(cell);
    if (wild_[place] != 0) {
        return -1;
    }
    if (!direct_.empty() && !direct_[place].empty()) {
        return direct_[place][static_cast<std::size_t>(value - program_->low[place])];
    }
    for (const std::int32_t found : facts_by_cell_[place]) {
        if (fact_value(found) == value) {
            return found;
        }
    }
    return -1;
}

void Task::facts_of(const std::uint32_t* words, std::vector<std::int32_t>& out) const {
    out.clear();
    for (const std::int32_t cell : cells_) {
        const Packing& place = program_->packing[static_cast<std::size_t>(cell)];
        const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(place.low) +
                                                     ((words[place.word] >> place.shift) & place.mask));
        const std::int32_t found = fact(cell, value);
        if (found >= 0) {
            out.push_back(found);
        }
    }
}

} // namespace beeline
