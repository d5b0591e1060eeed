// lmcut: landmarks of the relaxed task, one after the other, each a set of operators of which every way to the goal has
// one; what they cost adds up, since each operator pays for several landmarks together no more than its own cost.
//
// Helmert and Domshlak, Landmarks, critical paths and abstractions: what's the difference anyway?, ICAPS 2009. One step
// of a network is one operator, and beside it one of a monitor, if it has one: those cost nothing here. A broadcast is
// several operators, which have one cost together.
//
// The paper goes by the dearest condition of each operator. Here no more is known of conditions than that they cost no
// less than the goal, if they do: costs are found up to the goal's alone, which takes a fraction of the time. Which of
// these conditions counts is free then. One from which the goal follows without cost makes landmarks smaller, so that
// more of them are found.
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
    enum Zone : std::uint8_t { kElsewhere, kNearGoal, kBefore, kCutOff };
    enum class Pass { kFirst, kAgain };

    void share_costs();
    void begin(const Word* state);
    void propagate(Pass pass);
    bool leads_to_goal(std::size_t level);
    void settle(std::size_t level, Pass pass);
    std::int32_t dearest_settled(std::int32_t op) const;
    void lower(std::int32_t op);
    void put(std::int32_t fact, std::int32_t cost);
    bool is_cheap(std::int32_t op) const;
    std::int32_t goal_cost() const { return fact_cost_[static_cast<std::size_t>(relaxation_.goal_fact())]; }

    void find_zone();
    void add_to_zone(std::int32_t fact);
    std::int32_t supporter(std::int32_t op) const;
    void find_cut();
    bool is_before(std::int32_t fact);
    void mark(std::int32_t fact, Zone zone);
    void forget(std::size_t first);
    std::int32_t pay_for_cut();

    std::shared_ptr<const Task> task_;
    Relaxation relaxation_;
    std::vector<std::int32_t> first_costs_, first_missing_;
    std::vector<std::int32_t> unconditional_;
    std::vector<std::int32_t> payer_;             // of operators: the one that has their cost
    std::vector<std::vector<std::int32_t>> paid_; // the other way round

    // Of the state that is looked at
    std::vector<std::int32_t> facts_;
    std::vector<std::int32_t> costs_;                // of operators: what landmarks have left of them
    std::vector<std::int32_t> fact_cost_;            // of those that cost less than the goal; of others, at least that
    std::vector<std::int32_t> settled_;              // of facts: what they cost when they were last settled, or kNever
    std::vector<std::int32_t> missing_;              // of operators: how many conditions never were
    std::vector<std::int32_t> base_;                 // and if none, what the dearest cost then
    std::vector<std::vector<std::int32_t>> buckets_; // facts by cost, to be settled
    std::size_t lowest_ = 0;                         // no bucket below has any
    std::vector<std::uint8_t> zone_;                 // of facts
    std::vector<std::uint8_t> is_near_;              // operators that lead into the zone of the goal
    std::vector<std::int32_t> near_;                 // those of them that cost something
    std::vector<std::int32_t> zone_facts_, marked_;  // facts in the zone, and those with marks beside it
    std::vector<std::int32_t> cut_;
};

} // namespace beeline
