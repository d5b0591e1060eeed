// The estimate that a search asks: one abstraction, or several of which the largest sum counts.
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

    const std::vector<Abstraction>& abstractions() const { return abstractions_; }

private:
    std::vector<Abstraction> abstractions_;
    std::vector<std::vector<std::size_t>> sums_;
    std::vector<std::int32_t> values_;
};

} // namespace beeline
