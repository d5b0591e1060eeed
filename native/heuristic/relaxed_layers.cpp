#include "heuristic/relaxed_layers.hpp"

#include <algorithm>
#include <limits>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::uint16_t kUnreached = std::numeric_limits<std::uint16_t>::max();

} // namespace

bool RelaxedLayers::suits(const Relaxation& relaxation) {
    constexpr std::size_t kMost = std::numeric_limits<Small>::max();
    if (at(relaxation.goal_fact()) + 1 >= kMost || relaxation.operators() >= kMost) {
        return false;
    }
    for (std::size_t op = 0; op < relaxation.operators(); ++op) {
        const auto number = static_cast<std::int32_t>(op);
        const std::int32_t cost = relaxation.cost(number);
        if (cost > 1 || (cost < 1 && !relaxation.is_goal(number)) ||
            relaxation.conditions(number).size() > std::numeric_limits<std::uint8_t>::max()) {
            return false;
        }
    }
    return true;
}

void RelaxedLayers::Rows::add(Relaxation::Range row) {
    for (const std::int32_t item : row) {
        items.push_back(static_cast<Small>(item));
    }
    starts.push_back(static_cast<std::uint32_t>(items.size()));
}

RelaxedLayers::RelaxedLayers(const Relaxation& relaxation)
    : goal_fact_(relaxation.goal_fact()), first_goal_(relaxation.first_goal()),
      fact_level_(at(relaxation.goal_fact()) + 2), queue_(fact_level_.size()), enabled_(relaxation.operators() + 1) {
    for (std::int32_t fact = 0; fact <= goal_fact_; ++fact) {
        needing_.add(relaxation.needing(fact));
    }
    for (std::size_t i = 0; i < relaxation.operators(); ++i) {
        const auto op = static_cast<std::int32_t>(i);
        const bool is_goal = relaxation.is_goal(op);
        effects_.add(is_goal ? Relaxation::Range{nullptr, nullptr} : relaxation.effects(op));
        condition_counts_.push_back(static_cast<std::uint8_t>(relaxation.conditions(op).size()));
        if (is_goal) {
            goal_costs_.push_back(relaxation.cost(op));
        }
        if (condition_counts_.back() == 0) {
            unconditional_.push_back(static_cast<Small>(op));
        }
    }
    absent_.assign(relaxation.operators(), 0);
}

std::int32_t RelaxedLayers::propagate(const std::vector<std::int32_t>& facts,
                                      const std::vector<std::int32_t>& removed) {
    std::fill(fact_level_.begin(), fact_level_.end() - 1, kUnreached);
    missing_ = condition_counts_;
    removes_ = !removed.empty();
    for (const std::int32_t op : removed) {
        absent_[at(op)] = 1;
    }
    queued_ = ready_ = 0;
    level_ = kNever;
    for (const std::int32_t fact : facts) {
        fact_level_[at(fact)] = 0;
        queue_[queued_++] = static_cast<Small>(fact);
    }
    for (const Small op : unconditional_) {
        enabled_[ready_++] = op;
    }
    std::size_t next = 0;
    for (std::int32_t layer = 0; level_ == kNever && (next < queued_ || ready_ > 0); ++layer) {
        next = count_down(next);
        enable(layer);
    }
    for (const std::int32_t op : removed) {
        absent_[at(op)] = 0;
    }
    return level_;
}

// Lists the operators for which the facts from queue place `next` on are the last conditions. Works on local copies of
// what it counts, which writes to arrays of bytes might otherwise be thought to change.
std::size_t RelaxedLayers::count_down(std::size_t next) {
    const std::uint32_t* const starts = needing_.starts.data();
    const Small* const items = needing_.items.data();
    const Small* const queue = queue_.data();
    Small* const enabled = enabled_.data();
    std::uint8_t* const missing = missing_.data();
    std::size_t ready = ready_;
    const std::size_t end = queued_;
    for (; next < end; ++next) {
        const Small fact = queue[next];
        const std::uint32_t last = starts[fact + 1];
        for (std::uint32_t i = starts[fact]; i < last; ++i) {
            const Small op = items[i];
            const auto left = static_cast<std::uint8_t>(missing[op] - 1);
            missing[op] = left;
            enabled[ready] = op;
            ready += left == 0;
        }
    }
    ready_ = ready;
    return end;
}

// What the operators add that became possible in a layer.
void RelaxedLayers::enable(std::int32_t layer) {
    const std::uint32_t* const starts = effects_.starts.data();
    const Small* const items = effects_.items.data();
    Small* const queue = queue_.data();
    std::uint16_t* const levels = fact_level_.data();
    const auto next = static_cast<std::uint16_t>(layer + 1);
    std::size_t queued = queued_;
    for (std::size_t i = 0; i < ready_; ++i) {
        const Small op = enabled_[i];
        if (op >= first_goal_) {
            note_goal(op, layer + goal_costs_[at(op - first_goal_)]);
        }
        if (removes_ && absent_[op] != 0) {
            continue;
        }
        const std::uint32_t last = starts[op + 1];
        for (std::uint32_t place = starts[op]; place < last; ++place) {
            const Small fact = items[place];
            const std::uint16_t level = levels[fact];
            queue[queued] = fact;
            queued += level == kUnreached;
            levels[fact] = std::min(level, next);
        }
    }
    queued_ = queued;
    ready_ = 0;
}

void RelaxedLayers::note_goal(std::int32_t op, std::int32_t cost) {
    if (cost < level_) {
        level_ = cost;
        goal_ = op;
    }
}

} // namespace beeline
