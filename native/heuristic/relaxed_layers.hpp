// The layers in which facts become true when nothing is ever deleted and every operator is one step: breadth-first,
// each fact once. The costs are those of Relaxation::propagate with the largest condition counting, in a fraction of
// the time: whether an operator is enabled, and whether a fact is new, is added up and not branched on.
#pragma once

#include "heuristic/relaxation.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

class RelaxedLayers {
public:
    // Larger than every cost.
    static constexpr std::int32_t kNever = 1 << 28;

    // Whether every operator is one step, and numbers are small.
    static bool suits(const Relaxation& relaxation);

    explicit RelaxedLayers(const Relaxation& relaxation);

    // Costs of facts up to the goal's, from the given facts, without the `removed` operators. Returns the goal's,
    // kNever if it cannot be had.
    std::int32_t propagate(const std::vector<std::int32_t>& facts, const std::vector<std::int32_t>& removed);

    // Of the last propagation, by fact: nothing is told beyond the goal's layer. One entry more says 0.
    const std::vector<std::uint16_t>& levels() const { return fact_level_; }
    // The goal that was reached first.
    std::int32_t goal() const { return goal_; }

private:
    using Small = std::uint16_t;

    struct Rows {
        std::vector<std::uint32_t> starts{0};
        std::vector<Small> items;
        void add(Relaxation::Range row);
    };

    std::size_t count_down(std::size_t next);
    void enable(std::int32_t layer);
    void note_goal(std::int32_t op, std::int32_t cost);

    std::int32_t goal_fact_, first_goal_;
    Rows needing_, effects_;
    std::vector<std::int32_t> goal_costs_; // of the last operators, which are goals
    std::vector<std::uint8_t> condition_counts_, missing_, absent_;
    std::vector<Small> unconditional_;
    std::vector<std::uint16_t> fact_level_;
    std::vector<Small> queue_, enabled_; // one place more than can be filled: the last one written may not count
    std::size_t queued_ = 0, ready_ = 0;
    bool removes_ = false;
    std::int32_t level_ = kNever; // the goal's
    std::int32_t goal_ = -1;
};

} // namespace beeline
