#include "abstraction/diverse_orders.hpp"

#include "abstraction/random_states.hpp"

#include <algorithm>
#include <numeric>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

using Places = std::vector<std::int32_t>;

class OrderSearch {
public:
    OrderSearch(SharedCosts& shared, PartitionParts& parts, const OrderOptions& options, Allowance& allowance)
        : shared_(shared), parts_(parts), options_(options), allowance_(allowance), walks_(parts.task(), options.seed) {
    }

    std::vector<CostPartition> run() {
        draw_samples();
        std::size_t entries = 0;
        std::vector<std::int32_t> best(samples_.size(), -1);
        for (std::size_t round = 0; round < options_.rounds && has_time(); ++round) {
            CostPartition partition = made_for(samples_[round % samples_.size()]);
            bool better = false;
            for (std::size_t i = 0; i < samples_.size(); ++i) {
                const std::int32_t said = partition(samples_[i]);
                better = better || said > best[i];
                best[i] = std::max(best[i], said);
            }
            if (!better) {
                continue;
            }
            entries += partition.entries();
            if (entries > options_.entries && !kept_.empty()) {
                break;
            }
            kept_.push_back(std::move(partition));
            if (kept_.size() == options_.orders) {
                break;
            }
        }
        return std::move(kept_);
    }

private:
    bool has_time() { return kept_.empty() || (shared_.work() < options_.work && !allowance_.is_over()); }

    // The initial state first; twice as many tosses as steps from there, and twice as many again so that walks come as
    // far as the goal.
    void draw_samples() {
        Places places;
        parts_.find_at(walks_.walk(0), places);
        const CostPartition first(shared_, greedy_order(shared_, places, Greed::kThrift));
        const std::int32_t far = is_dead(shared_, places) ? 0 : first(places);
        const std::int32_t length = 4 * (far == kUnreachable ? 0 : far) + 4;
        samples_.push_back(places);
        for (std::size_t tried = 1; samples_.size() < options_.samples && tried < 4 * options_.samples; ++tried) {
            parts_.find_at(walks_.walk(length), places);
            if (!is_dead(shared_, places)) {
                samples_.push_back(places);
            }
        }
    }

    CostPartition made_for(const Places& places) {
        SharedCosts::Order order;
        CostPartition best = greedy_partition(shared_, places, order);
        std::int32_t most = best(places);
        std::size_t left = options_.swaps;
        for (bool changed = true; changed && left > 0;) {
            changed = false;
            for (std::size_t i = 0; i < order.size() && left > 0; ++i) {
                for (std::size_t j = i + 1; j < order.size() && left > 0; ++j, --left) {
                    std::swap(order[i], order[j]);
                    CostPartition other(shared_, order);
                    if (other(places) > most) {
                        most = other(places);
                        best = std::move(other);
                        changed = true;
                    } else {
                        std::swap(order[i], order[j]);
                    }
                }
            }
        }
        return best;
    }

    SharedCosts& shared_;
    PartitionParts& parts_;
    const OrderOptions& options_;
    Allowance& allowance_;
    RandomWalks walks_;
    std::vector<Places> samples_;
    std::vector<CostPartition> kept_;
};

} // namespace

SharedCosts::Order greedy_order(const SharedCosts& shared, SharedCosts::Places places, Greed greed) {
    std::vector<double> worth;
    for (std::size_t i = 0; i < shared.size(); ++i) {
        const std::int32_t distance = places[i] < 0 ? 0 : shared.alone(i)[at(places[i])];
        const std::int64_t price = greed == Greed::kThrift ? std::max<std::int64_t>(1, shared.stolen(i)) : 1;
        worth.push_back(distance / static_cast<double>(price));
    }
    SharedCosts::Order order(shared.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return worth[at(a)] > worth[at(b)]; });
    return order;
}

CostPartition greedy_partition(SharedCosts& shared, SharedCosts::Places places, SharedCosts::Order& order) {
    order = greedy_order(shared, places, Greed::kThrift);
    CostPartition best(shared, order);
    SharedCosts::Order by_distance = greedy_order(shared, places, Greed::kDistance);
    CostPartition other(shared, by_distance);
    if (other(places) > best(places)) {
        order = std::move(by_distance);
        return other;
    }
    return best;
}

bool is_dead(const SharedCosts& shared, SharedCosts::Places places) {
    for (std::size_t i = 0; i < shared.size(); ++i) {
        if (places[i] == kNoState || (places[i] >= 0 && shared.is_dead(i, places[i]))) {
            return true;
        }
    }
    return false;
}

std::vector<CostPartition> diverse_partitions(SharedCosts& shared, PartitionParts& parts, const OrderOptions& options,
                                              Allowance& allowance) {
    return OrderSearch(shared, parts, options, allowance).run();
}

} // namespace beeline
