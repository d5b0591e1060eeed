// lmcut: landmarks of the relaxed task, one after the other, each a set of operators of which every way to the goal has
// one; what they cost adds up, since each operator pays for several landmarks together no more than its own cost.
//
// Helmert and Domshlak, Landmarks, critical paths and abstractions: what's the difference anyway?, ICAPS 2009. One step
// of a network is one operator, and beside it one of a monitor, if it has one: those cost nothing here. A broadcast is
// several operators, which have one cost together.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/relaxation.hpp"
#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

class LandmarkCut final : public Estimator {
public:
    explicit LandmarkCut(std::shared_ptr<const Task> task);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    // One pass over all operators, and a part of it for each landmark.
    std::uint32_t cost() const override { return 4 + static_cast<std::uint32_t>(relaxation_.operators() / 4); }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<LandmarkCut>(task_); }

private:
    static constexpr std::int32_t kNever = Relaxation::kNever;
    static constexpr std::int32_t kNone = -1;
    enum Zone : std::uint8_t { kElsewhere, kNearGoal, kBefore };

    void share_costs();
    std::int32_t pay_for_cut();
    void propagate_all();
    template <class Tell>
    void propagate(const Tell& tell);
    void support_anew(std::int32_t op, std::int32_t fact);
    void lower(std::int32_t op);
    void enable(std::int32_t op, std::int32_t supporter, std::int32_t cost);
    void find_goal_zone();
    void find_cut();
    void cross(std::int32_t op);

    std::shared_ptr<const Task> task_;
    Relaxation relaxation_;
    std::vector<std::int32_t> first_costs_, first_missing_;
    std::vector<std::int32_t> unconditional_;
    std::vector<std::int32_t> payer_;             // of operators: the one that has their cost
    std::vector<std::vector<std::int32_t>> paid_; // the other way round

    // Of the state that is looked at
    std::vector<std::int32_t> facts_;
    std::vector<std::int32_t> costs_;                // of payers: what landmarks have left of them
    std::vector<std::int32_t> fact_cost_;            // the dearest condition decides; kNever if out of reach
    std::vector<std::int32_t> base_;                 // of operators: what their dearest condition costs,
    std::vector<std::int32_t> supporter_;            // and which that is; kNone without conditions
    std::vector<std::int32_t> missing_;              // how many conditions are out of reach
    std::vector<std::vector<std::int32_t>> buckets_; // facts by cost, to be looked at
    std::vector<std::uint8_t> zone_;                 // of facts
    std::vector<std::int32_t> waiting_, cut_;
};

} // namespace beeline
