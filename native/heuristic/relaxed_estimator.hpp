// Heuristics by relaxing the task: facts once true stay true. The layers in which facts become true give hL (also known
// as h^max), sums of costs give hADD, and the operators of a relaxed plan for the goal give hU and hFF.
//
// Kupferschmid, Hoffmann, Dierks and Behrmann, Adapting an AI planning heuristic for directed model checking, SPIN
// 2006; Hoffmann and Nebel, The FF planning system, JAIR 14, 2001; Bonet and Geffner, Planning as heuristic search,
// 2001.
#pragma once

#include "heuristic/batch_relaxation.hpp"
#include "heuristic/estimator.hpp"
#include "heuristic/first_goal.hpp"
#include "heuristic/level_set.hpp"
#include "heuristic/relaxation.hpp"
#include "heuristic/relaxed_layers.hpp"
#include "heuristic/relaxed_plan.hpp"
#include "task/removal.hpp"
#include "task/task.hpp"

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
    bool has_batches() const override { return (kind_ == RelaxedKind::kL || kind_ == RelaxedKind::kU) && pays_; }
    void estimate_all(const std::vector<const Word*>& states, std::vector<std::int32_t>& values) override;
    bool is_safe() const override { return true; }
    // Measured: what one pass over all operators that can make a difference costs, in generated steps.
    std::uint32_t cost() const override { return 2 + static_cast<std::uint32_t>(plain().relaxation.operators() / 24); }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    void estimate_without_each(const Word* state, const Steps& steps, std::vector<std::int32_t>& values) override;
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<RelaxedEstimator>(task_, kind_); }

private:
    using Operators = std::vector<std::int32_t>;

    // The task with all operators, or with those only that some heuristic can depend on.
    struct View {
        View(std::shared_ptr<const Task> task, RelaxedKind kind, bool may_remove);
        BatchRelaxation& clear_lanes();
        RelaxedKind kind;
        bool may_remove;
        Relaxation relaxation;
        std::optional<RelaxedLayers> layers;  // where they give the same as a propagation
        std::optional<BatchRelaxation> lanes; // beside the layers, when several states are first asked for at once
        std::optional<RelaxedPlan> plan;      // beside the layers, for hU
        std::optional<FirstGoal> first_goal;  // beside the lanes, for hU
    };
    std::int32_t evaluate(View& view, const Word* state, const Operators& removed);
    std::int32_t evaluate_by_layers(View& view, const Operators& removed);
    std::int32_t evaluate_lane(View& view, std::size_t lane, const Word* state, const Operators& removed);
    std::int32_t count_steps(View& view, RelaxedPlan::Levels levels, std::int32_t goal, std::int32_t cost);
    View& plain() const;
    View& removing();
    std::int32_t propagate(View& view, const Operators& removed);
    const Operators& without(std::uint32_t action, std::uint32_t detail);

    // Extraction
    std::int32_t extract(const Relaxation& relaxation, std::int32_t goal);
    std::int32_t choose(const Relaxation& relaxation, std::int32_t fact, std::int32_t level) const;
    std::int32_t difficulty(const Relaxation& relaxation, std::int32_t op) const;
    void select(const Relaxation& relaxation, std::int32_t op);
    void need(const Relaxation& relaxation, std::int32_t fact);

    std::shared_ptr<const Task> task_;
    RelaxedKind kind_;
    mutable std::unique_ptr<View> plain_; // made when it is first asked: many heuristics are chosen and not used
    std::vector<std::uint32_t> preferred_;

    // What the search that avoids useless transitions asks for.
    std::unique_ptr<View> removing_;
    std::unique_ptr<Removal> removal_;
    std::unordered_map<std::uint64_t, Operators> without_;

    // Scratch
    std::vector<std::int32_t> facts_;
    std::vector<RelaxedPlan::Bytes> levels_;
    mutable bool pays_ = true;                      // to estimate several states at once
    std::vector<std::vector<std::int32_t>> needed_; // facts by level
    LevelSet needed_levels_;
    std::vector<std::int32_t> needed_stamp_, selected_stamp_;
    std::int32_t stamp_ = 0;
    StepCounter counter_;
};

} // namespace beeline
