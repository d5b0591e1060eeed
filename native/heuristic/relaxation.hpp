// Estimates by relaxing the task: facts once true stay true. The layers in which facts become true give hL (also known
// as h^max), sums of costs give hADD, and the operators of an abstract way to the goal give hU and hFF.
//
// Kupferschmid, Hoffmann, Dierks and Behrmann, Adapting an AI planning heuristic for directed model checking, SPIN
// 2006; Hoffmann and Nebel, The FF planning system, JAIR 14, 2001; Bonet and Geffner, Planning as heuristic search,
// 2001.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/removal.hpp"
#include "heuristic/task.hpp"

#include <memory>
#include <vector>

namespace beeline {

// Facts and operators as flat arrays, and the propagation of costs through them.
class Relaxation {
public:
    explicit Relaxation(std::shared_ptr<const Task> task);

    enum class Join { kMax, kAdd }; // how the costs of an operator's conditions are joined

    static constexpr std::int32_t kNever = kDeadEnd;

    // Costs of all facts up to the goal's from the given facts; `removed` operators do not exist. Returns the goal's
    // cost, kNever if it cannot be had. Values above `bound` may be given as kNever.
    std::int32_t propagate(const std::vector<std::int32_t>& facts, Join join, const std::vector<std::uint8_t>* removed,
                           std::int32_t bound = kNever);

    const Task& task() const { return *task_; }
    std::int32_t goal_fact() const { return task_->facts(); }
    std::size_t operators() const { return cost_.size(); }

    // Results of the last propagation.
    std::vector<std::int32_t> fact_cost;     // kNever if not reached
    std::vector<std::int32_t> supporter;     // the operator that made a fact true first, -1 for given facts
    std::vector<std::int32_t> operator_cost; // joined costs of its conditions; valid if enabled
    bool enabled(std::int32_t op) const { return missing_[static_cast<std::size_t>(op)] == 0; }

    struct Range {
        const std::int32_t* first;
        const std::int32_t* last;
        const std::int32_t* begin() const { return first; }
        const std::int32_t* end() const { return last; }
    };
    Range conditions(std::int32_t op) const { return conditions_.row(op); }
    Range effects(std::int32_t op) const { return effects_.row(op); }
    Range achievers(std::int32_t fact) const { return achievers_.row(fact); }
    Range needing(std::int32_t fact) const { return needing_.row(fact); }
    std::int32_t cost(std::int32_t op) const { return cost_[static_cast<std::size_t>(op)]; }
    // Action and second action of an operator; goals have none.
    bool is_goal(std::int32_t op) const { return static_cast<std::size_t>(op) >= task_->operators().size(); }

private:
    // Rows of numbers, one after the other.
    struct Rows {
        std::vector<std::int32_t> starts{0};
        std::vector<std::int32_t> items;
        void add(const std::vector<std::int32_t>& row);
        Range row(std::int32_t index) const {
            const auto place = static_cast<std::size_t>(index);
            return {items.data() + starts[place], items.data() + starts[place + 1]};
        }
    };
    void reach(std::int32_t fact, std::int32_t cost, std::int32_t by);
    void enable(std::int32_t op);

    std::shared_ptr<const Task> task_;
    std::vector<std::int32_t> cost_;
    Rows conditions_, effects_, achievers_, needing_;
    std::vector<std::int32_t> condition_counts_, missing_;
    std::vector<std::int32_t> unconditional_;
    std::vector<std::vector<std::int32_t>> buckets_;
    const std::vector<std::uint8_t>* removed_ = nullptr;
};

enum class RelaxedKind { kL, kU, kAdd, kFF };

class RelaxedEstimator final : public Estimator {
public:
    RelaxedEstimator(std::shared_ptr<const Task> task, RelaxedKind kind);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    // Measured: what one pass over all operators costs, in generated steps.
    std::uint32_t cost() const override { return 1 + static_cast<std::uint32_t>(relaxation_.operators() / 32); }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }

private:
    std::int32_t evaluate(const std::vector<std::uint8_t>* removed);
    std::int32_t extract();
    std::int32_t choose(std::int32_t fact, std::int32_t level);
    void need(std::int32_t fact);

    Relaxation relaxation_;
    Removal removal_;
    RelaxedKind kind_;
    std::vector<std::int32_t> facts_;
    std::vector<std::uint32_t> preferred_;
    // Extraction.
    std::vector<std::vector<std::int32_t>> needed_; // facts by level
    std::vector<std::int32_t> needed_stamp_, selected_stamp_;
    std::vector<std::int32_t> selected_;
    std::int32_t stamp_ = 0;
};

} // namespace beeline
