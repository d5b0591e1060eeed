// A task as a graph of facts and operators, and what facts cost when those once true stay true.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/level_set.hpp"
#include "task/rows.hpp"
#include "task/task.hpp"

#include <memory>
#include <vector>

namespace beeline {

// Facts and operators as flat arrays, and the propagation of costs through them.
class Relaxation {
public:
    // With `may_remove`, propagations may be asked to leave operators out.
    Relaxation(std::shared_ptr<const Task> task, bool may_remove);

    enum class Join { kMax, kAdd }; // how the costs of an operator's conditions are joined

    static constexpr std::int32_t kNever = kDeadEnd;
    static constexpr std::int32_t kLargest = 1 << 12; // costs beyond are as good as equal: there is a bucket for each

    // Costs of all facts up to the goal's from the given facts; `removed` operators do not exist. Returns the goal's
    // cost, kNever if it cannot be had. Among facts of one cost the first to be reached comes first, for sums the last.
    std::int32_t propagate(const std::vector<std::int32_t>& facts, Join join, const std::vector<std::int32_t>& removed);

    // Facts of a packed state that some operator asks for, in the task's order.
    void facts_of(const Word* state, std::vector<std::int32_t>& out) const;

    const Task& task() const { return *task_; }
    std::int32_t goal_fact() const { return task_->facts(); }
    std::size_t operators() const { return cost_.size(); }

    // Results of the last propagation.
    std::vector<std::int32_t> fact_cost;     // kNever if not reached
    std::vector<std::int32_t> supporter;     // the operator that made a fact true first, -1 for given facts
    std::vector<std::int32_t> operator_cost; // joined costs of its conditions; valid if enabled
    std::vector<std::int32_t> missing;       // how many conditions of an operator were not reached

    using Range = Rows::Range;
    Range conditions(std::int32_t op) const { return conditions_[op]; }
    Range effects(std::int32_t op) const { return effects_[op]; }
    Range achievers(std::int32_t fact) const { return achievers_[fact]; }
    Range needing(std::int32_t fact) const { return needing_[fact]; }
    std::int32_t cost(std::int32_t op) const { return cost_[static_cast<std::size_t>(op)]; }
    // Goals come after all other operators.
    std::int32_t first_goal() const { return first_goal_; }
    bool is_goal(std::int32_t op) const { return op >= first_goal_; }
    // The operator of the task that one here stands for; goals have none.
    std::int32_t source(std::int32_t op) const { return source_[static_cast<std::size_t>(op)]; }
    // Operators that are the same step of the network have a number below `steps` in common.
    std::int32_t step(std::int32_t op) const { return step_[static_cast<std::size_t>(op)]; }
    std::size_t steps() const { return steps_; }

private:
    // Where a cell is found in a state, and the facts of its values.
    struct Reader {
        std::uint32_t word, shift, mask;
        std::int32_t low, cell;
        std::int64_t first; // in the table; negative if there is none, because the domain is large
    };
    void number_steps();
    void make_readers();
    std::int32_t asked_fact(std::int32_t cell, std::int32_t value) const;
    void begin(const std::vector<std::int32_t>& facts, Join join, const std::vector<std::int32_t>& removed);
    template <Join join>
    std::int32_t spread();
    void reach(std::int32_t fact, std::int32_t cost, std::int32_t by);
    void enable(std::int32_t op);

    std::shared_ptr<const Task> task_;
    std::vector<std::int32_t> cost_;
    Rows conditions_, effects_, achievers_, needing_;
    std::vector<std::int32_t> source_, step_;
    std::size_t steps_ = 0;
    std::int32_t first_goal_ = 0;
    std::vector<std::int32_t> condition_counts_;
    std::vector<std::int32_t> unconditional_;
    std::vector<std::uint8_t> absent_;               // operators that are removed
    std::vector<std::vector<std::int32_t>> buckets_; // facts by cost
    LevelSet filled_;                                // the buckets that hold something
    std::vector<Reader> readers_;
    std::vector<std::int32_t> table_; // facts, or -1
};

} // namespace beeline
