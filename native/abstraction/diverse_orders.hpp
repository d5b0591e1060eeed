// Which orders of abstractions are worth keeping: each is made for one state, and kept if it says more than all others
// of some state that random walks came to.
#pragma once

#include "abstraction/cost_partition.hpp"
#include "abstraction/partition_parts.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

struct OrderOptions {
    std::size_t orders = 20;        // that are kept
    std::size_t samples = 300;      // states
    std::size_t rounds = 300;       // orders that are tried
    std::size_t swaps = 0;          // tried in each order, to make it better for its state
    std::uint64_t seed = 1;         // of the walks
    std::size_t work = 100000000;   // steps of systems that are looked at
    std::size_t entries = 20000000; // of all tables
};

// What comes first in an order.
enum class Greed : std::uint8_t {
    kThrift,   // what has a large distance for what it takes from the others
    kDistance, // what has a large distance, so that the sum is never less than the largest
};
SharedCosts::Order greedy_order(const SharedCosts& shared, SharedCosts::Places places, Greed greed);
// The better one for a state.
CostPartition greedy_partition(SharedCosts& shared, SharedCosts::Places places, SharedCosts::Order& order);

// Whether a system calls the state a dead end.
bool is_dead(const SharedCosts& shared, SharedCosts::Places places);

std::vector<CostPartition> diverse_partitions(SharedCosts& shared, PartitionParts& parts, const OrderOptions& options,
                                              Allowance& allowance);

} // namespace beeline
