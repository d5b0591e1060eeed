// Distances to the goal in a Cartesian abstraction, and for each state the step that begins a shortest way; kept true
// while states are split. A split makes ways longer only, so that most distances stay, and only states are looked at
// again that have lost all their shortest ways (Seipp, von Allmen, Helmert, "Incremental search for
// counterexample-guided Cartesian abstraction refinement", ICAPS 2020).
#pragma once

#include "abstraction/cartesian_states.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

class CartesianDistances {
public:
    using Length = std::int64_t;

    CartesianDistances(const FactoredTask& task, const CartesianStates& states);

    // Costs of the steps that are missing, kUnreachable if there is no way.
    std::int32_t cost(std::int32_t state) const;
    // The first step of a shortest way from a state that is no goal and has a way.
    CartesianStates::Step next(std::int32_t state) const { return next_[static_cast<std::size_t>(state)]; }

    void measure();                                           // all of them
    void follow_split(std::int32_t state, std::int32_t made); // after `state` was split
    std::size_t work() const { return work_; }

private:
    // Of two ways of equal cost the one with fewer steps is shorter: so no step is free, and a state's shortest way
    // goes through states that are nearer than itself.
    static constexpr Length kOne = Length{1} << 32;
    static constexpr Length kNoWay = std::numeric_limits<Length>::max();

    Length length(std::int32_t label) const { return costs_[static_cast<std::size_t>(label)] * kOne + 1; }
    bool reconnect(std::int32_t state);
    void repair(const std::vector<std::int32_t>& lost);

    const CartesianStates& states_;
    std::vector<Length> costs_; // by label
    std::vector<Length> lengths_;
    std::vector<CartesianStates::Step> next_;
    std::vector<std::uint8_t> lost_; // by state: all its shortest ways are gone
    std::size_t work_ = 0;
};

} // namespace beeline
