// The estimator that a search asks: one abstraction, or several of which the largest sum counts.
#pragma once

#include "abstraction/abstraction.hpp"
#include "heuristic/estimator.hpp"

#include <memory>
#include <vector>

namespace beeline {

class AbstractionEstimator final : public Estimator {
public:
    // `sums` are sets of abstractions whose values may be added, because no step counts in two of them.
    AbstractionEstimator(std::vector<Abstraction> abstractions, std::vector<std::vector<std::size_t>> sums)
        : abstractions_(std::move(abstractions)), sums_(std::move(sums)), values_(abstractions_.size()) {}

    std::int32_t estimate(const Word* state) override {
        for (std::size_t i = 0; i < abstractions_.size(); ++i) {
            values_[i] = abstractions_[i].estimate(state);
            if (values_[i] == kDeadEnd) {
                return kDeadEnd;
            }
        }
        std::int32_t best = 0;
        for (const auto& sum : sums_) {
            std::int32_t total = 0;
            for (const std::size_t one : sum) {
                total += values_[one];
            }
            best = total > best ? total : best;
        }
        return best;
    }
    bool is_safe() const override { return true; }
    std::int32_t add_to(Lookup& lookup) const override {
        std::vector<std::int32_t> values, totals{lookup.constant(0)};
        for (const Abstraction& abstraction : abstractions_) {
            values.push_back(abstraction.add_to(lookup));
            if (values.back() < 0) {
                return -1;
            }
        }
        for (const auto& sum : sums_) {
            std::vector<std::int32_t> parts{lookup.constant(0)};
            for (const std::size_t one : sum) {
                parts.push_back(values[one]);
            }
            totals.push_back(lookup.join(Lookup::Kind::kSum, std::move(parts)));
        }
        return lookup.join(Lookup::Kind::kMaximum, std::move(totals));
    }

    const std::vector<Abstraction>& abstractions() const { return abstractions_; }

private:
    std::vector<Abstraction> abstractions_;
    std::vector<std::vector<std::size_t>> sums_;
    std::vector<std::int32_t> values_;
};

} // namespace beeline
