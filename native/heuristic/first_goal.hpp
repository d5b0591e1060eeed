// Which of several goals a propagation by layers comes to first, told from the levels of facts alone. It takes facts in
// the order in which they became true, and an operator is due when the last of its conditions is taken (see
// RelaxedLayers); here that order is found for those facts only that the goals depend on.
#pragma once

#include "heuristic/relaxation.hpp"
#include "heuristic/relaxed_plan.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

class FirstGoal {
public:
    // The relaxation must suit RelaxedLayers, and outlive this.
    explicit FirstGoal(const Relaxation& relaxation);

    // Of the goals that are no steps and that are reached with `cost`, from these facts and without the `removed`
    // operators.
    std::int32_t first_goal(RelaxedPlan::Levels levels, std::int32_t cost, const std::vector<std::int32_t>& facts,
                            const std::vector<std::int32_t>& removed);

private:
    // Something that is found out once in each call.
    struct Known {
        std::uint32_t stamp = 0;
        std::int32_t value = 0;
    };

    std::int32_t layer_of(std::int32_t op) const { return levels_.highest(relaxation_.conditions(op)); }
    // Whether a fact comes before another one of the same level, and an operator before another one of the same layer.
    bool is_sooner(std::int32_t fact, std::int32_t other);
    bool is_due_sooner(std::int32_t op, std::int32_t other);
    // The operator that made a fact true, and the condition that an operator waited for.
    std::int32_t maker(std::int32_t fact);
    std::int32_t last_condition(std::int32_t op);

    const Relaxation& relaxation_;
    RelaxedPlan::Levels levels_{};
    std::uint32_t stamp_ = 0;
    std::vector<Known> place_, maker_; // by fact; places are those of the given ones
    std::vector<Known> last_;          // by operator
    std::vector<std::uint32_t> removed_stamp_;
};

} // namespace beeline
