// States of the product that random walks from the initial one come to: what orders of abstractions are tried on.
#pragma once

#include "abstraction/factors.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace beeline {

class RandomWalks {
public:
    RandomWalks(const FactoredTask& task, std::uint64_t seed) : task_(task), random_(seed) {}

    // The state after about half as many steps as `length` says, fewer if there is none to take (a number of coin
    // tosses, as in the paper).
    std::vector<std::int32_t> walk(std::int32_t length);

private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    bool step(std::vector<std::int32_t>& state);
    bool take(const Label& label, std::vector<std::int32_t>& state);
    bool is_possible(const Label& label, const std::vector<std::int32_t>& state) const;

    const FactoredTask& task_;
    std::mt19937_64 random_; // the same numbers everywhere
};

} // namespace beeline
