// The estimator that a search asks: the largest sum of several orders; with `online`, also of an order that is made for
// the very state.
#pragma once

#include "abstraction/diverse_orders.hpp"
#include "heuristic/estimator.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace beeline {

class PartitionEstimator final : public Estimator {
public:
    PartitionEstimator(PartitionParts parts, Saturation saturation, const OrderOptions& options, bool online,
                       Allowance& allowance)
        : parts_(std::move(parts)), shared_(parts_.task(), parts_.take_systems(), saturation), online_(online) {
        partitions_ = diverse_partitions(shared_, parts_, options, allowance);
    }

    std::int32_t estimate(const Word* state) override {
        if (parts_.is_hopeless() || parts_.task().is_hopeless()) {
            return kDeadEnd;
        }
        parts_.find(state, places_);
        if (is_dead(shared_, places_)) {
            return kDeadEnd;
        }
        std::int32_t best = online_ ? greedy_partition(shared_, places_, order_)(places_) : 0;
        for (const CostPartition& partition : partitions_) {
            best = std::max(best, partition(places_));
        }
        return best;
    }
    bool is_safe() const override { return true; }
    // One order for each state is hundreds of times the work of looking up a few.
    std::uint32_t cost() const override { return online_ ? 100 : 1; }

    std::size_t systems() const { return shared_.size(); }
    std::size_t states() const { return shared_.states(); }
    std::size_t orders() const { return partitions_.size(); }
    std::size_t bytes() const {
        std::size_t total = parts_.bytes();
        for (const CostPartition& partition : partitions_) {
            total += partition.entries() * sizeof(std::int32_t);
        }
        return total;
    }

private:
    PartitionParts parts_;
    SharedCosts shared_;
    std::vector<CostPartition> partitions_;
    bool online_;
    std::vector<std::int32_t> places_;
    SharedCosts::Order order_;
};

} // namespace beeline
