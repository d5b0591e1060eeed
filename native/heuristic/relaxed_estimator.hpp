// Estimates by relaxing the task: facts once true stay true. The layers in which facts become true give hL (also known
// as h^max), sums of costs give hADD, and the operators of an abstract way to the goal give hU and hFF.
//
// Kupferschmid, Hoffmann, Dierks and Behrmann, Adapting an AI planning heuristic for directed model checking, SPIN
// 2006; Hoffmann and Nebel, The FF planning system, JAIR 14, 2001; Bonet and Geffner, Planning as heuristic search,
// 2001.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/layers.hpp"
#include "heuristic/relaxation.hpp"
#include "heuristic/removal.hpp"
#include "heuristic/task.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace beeline {

enum class RelaxedKind { kL, kU, kAdd, kFF };

class RelaxedEstimator final : public Estimator {
public:
    RelaxedEstimator(std::shared_ptr<const Task> task, RelaxedKind kind);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    // Measured: what one pass over all operators costs, in generated steps.
    std::uint32_t cost() const override {
        return 1 + static_cast<std::uint32_t>((task_->operators().size() + task_->goals().size()) / 32);
    }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }
    bool has_twin() const override { return true; }
    std::shared_ptr<Estimator> twin() const override { return std::make_shared<RelaxedEstimator>(task_, kind_); }

private:
    using Operators = std::vector<std::int32_t>;

    // The task with all operators, or with those only that some estimate can depend on.
    struct View {
        View(std::shared_ptr<const Task> task, RelaxedKind kind, bool may_remove);
        Relaxation relaxation;
        std::optional<Layers> layers; // where they give the same as a propagation
    };
    // Where the costs of the state under estimation are found.
    struct Costs {
        const std::int32_t* facts;
        const std::int32_t* operators;
        const std::int32_t* missing;   // null: an operator that cannot be had costs much
        const std::int32_t* supporter; // null: given facts are those that cost nothing
        bool enabled(std::int32_t op) const { return missing == nullptr || missing[op] == 0; }
        bool given(std::int32_t fact) const { return supporter == nullptr ? facts[fact] == 0 : supporter[fact] < 0; }
    };

    std::int32_t evaluate(View& view, const Word* state, const Operators& removed);
    std::int32_t evaluate_by_layers(View& view, const Operators& removed);
    std::int32_t propagate(View& view, const Operators& removed);
    const Operators& without(std::uint32_t action, std::uint32_t detail);

    // Extraction
    std::int32_t extract(const Relaxation& relaxation, std::int32_t goal);
    std::int32_t choose(const Relaxation& relaxation, std::int32_t fact, std::int32_t level) const;
    std::int32_t difficulty(const Relaxation& relaxation, std::int32_t op) const;
    void select(const Relaxation& relaxation, std::int32_t op);
    void need(std::int32_t fact);
    bool is_new_step(std::int32_t step, std::int32_t cost);

    std::shared_ptr<const Task> task_;
    RelaxedKind kind_;
    std::unique_ptr<View> plain_; // made when it is first asked: many estimates are chosen and not used
    std::vector<std::uint32_t> preferred_;

    // What the search that avoids useless transitions asks for.
    std::unique_ptr<View> removing_;
    std::unique_ptr<Removal> removal_;
    std::unordered_map<std::uint64_t, Operators> without_;

    // Scratch
    Costs costs_{};
    std::vector<std::int32_t> facts_;
    std::vector<std::vector<std::int32_t>> needed_; // facts by level
    std::vector<std::int32_t> needed_stamp_, selected_stamp_;
    std::int32_t stamp_ = 0;
    // Steps that were counted: operators that are the same step have a number in common, and a list of their costs.
    struct Counted {
        std::int32_t cost;
        std::int32_t next;
    };
    std::vector<std::int32_t> step_of_operator_;
    std::vector<std::int32_t> step_stamp_, step_first_;
    std::vector<Counted> counted_;
};

} // namespace beeline
