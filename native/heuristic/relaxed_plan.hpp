// The operators of a relaxed plan for the goal where every operator is one step, read off the layers of facts from the
// last one back to the first. How many steps they are is the estimate hU.
//
// What makes a needed fact true: an operator that was taken already, else the one that adds most of what is needed in
// this layer, else the one with the easiest conditions. A step counts once for each layer in which it is needed,
// however many of its effects are used.
#pragma once

#include "heuristic/relaxation.hpp"
#include "task/step_counter.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class RelaxedPlan {
public:
    // Levels of facts for some states side by side, a byte for each, and which of the states is meant.
    using Bytes = std::uint64_t;
    static_assert(std::endian::native == std::endian::little);
    struct Levels {
        const Bytes* rows; // by fact; one more says 0
        std::size_t place;
        std::int32_t operator[](std::int32_t fact) const {
            return reinterpret_cast<const std::uint8_t*>(rows)[static_cast<std::size_t>(fact) * sizeof(Bytes) + place];
        }
        // The layer in which all of them are true, which is that of an operator with these conditions.
        std::int32_t highest(Relaxation::Range facts) const {
            std::int32_t most = 0;
            for (const std::int32_t fact : facts) {
                most = std::max(most, (*this)[fact]);
            }
            return most;
        }
    };
    static constexpr std::int32_t kHighest = 254; // level that can be told

    // The relaxation must suit RelaxedLayers, and outlive the plan.
    explicit RelaxedPlan(const Relaxation& relaxation);

    // Steps to a goal that was reached with `cost`; any other failing step that was can take its place. `levels` tells
    // for each fact up to the goal's layer when it is first true.
    std::int32_t steps(Levels levels, std::int32_t goal, std::int32_t cost);
    // Of the last plan: steps that are possible at once.
    const std::vector<std::int32_t>& first_operators() const { return first_operators_; }

private:
    using Small = std::uint16_t;

    // An operator with a fact among its effects. Two conditions and one more effect are at hand; the fact that is
    // always true stands for those that are missing. Operators with more of them are wide.
    struct Achiever {
        Small op, first, second, beside;
    };

    std::int32_t layer_of(std::int32_t op) const { return levels_.highest(relaxation_.conditions(op)); }
    std::int32_t choose(std::int32_t fact, std::int32_t level) const;
    // How good an operator is, more than 0 for one that can be had.
    std::int32_t worth(const Achiever& achiever, std::int32_t level) const;
    std::int32_t worth(std::int32_t op, std::int32_t fact, std::int32_t level) const;
    bool is_needed(std::int32_t fact, std::int32_t level) const;
    void select(std::int32_t op);
    void need(std::int32_t fact);

    const Relaxation& relaxation_;
    std::vector<std::uint8_t> has_wide_;   // by fact: some achiever is
    std::vector<std::uint32_t> starts_{0}; // by fact
    std::vector<Achiever> achievers_;

    Levels levels_{};
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> needed_stamp_, selected_stamp_;
    std::vector<std::vector<Small>> needed_; // by level
    std::size_t highest_ = 0;
    StepCounter counter_;
    std::vector<std::int32_t> first_operators_;
};

} // namespace beeline
