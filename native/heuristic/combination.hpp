// Heuristics made of heuristics: the largest, the sum, a multiple, and one that remembers what it said.
#pragma once

#include "heuristic/estimator.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace beeline {

// 0 everywhere: a search that it guides is not directed at all.
class BlindEstimator final : public Estimator {
public:
    std::int32_t estimate(const Word*) override { return 0; }
    bool is_safe() const override { return true; }
    std::uint32_t cost() const override { return 0; }
    bool has_removal() const override { return true; }
    std::int32_t add_to(Lookup& lookup) const override { return lookup.constant(0); }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<BlindEstimator>(*this); }
};

enum class Join : std::uint8_t { kMaximum, kMinimum, kSum };

// A part that is a dead end makes the whole one, except for a minimum. Sums stop below kDeadEnd.
class CombinedEstimator final : public Estimator {
public:
    CombinedEstimator(Join join, std::vector<std::shared_ptr<Estimator>> parts, std::vector<std::uint32_t> weights);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override;
    std::uint32_t cost() const override;
    bool has_removal() const override;
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }
    std::int32_t add_to(Lookup& lookup) const override;
    bool can_clone() const override;
    std::shared_ptr<Estimator> clone() const override;

private:
    template <class Ask>
    std::int32_t joined(Ask&& ask) const;

    Join join_;
    std::vector<std::shared_ptr<Estimator>> parts_;
    std::vector<std::uint32_t> weights_;
    std::vector<std::uint32_t> preferred_;
};

// A table of bounded size in front of a costly heuristic (Kupferschmid, Hoffmann, Dierks and Behrmann, "Adapting an AI
// planning heuristic for directed model checking", SPIN 2006). Entries hold hashes, not states: a wrong value is
// possible, if hardly ever met, so promises of exactness are lost. Dead ends are not kept, so that none is ever wrong.
// A value from the table comes without preferred actions: values depend on earlier calls, so it
// cannot be cloned.
class CachedEstimator final : public Estimator {
public:
    // States are told apart by their first `words` words.
    CachedEstimator(std::shared_ptr<Estimator> estimator, std::size_t words, std::size_t entries);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return estimator_->is_safe(); }
    std::uint32_t cost() const override { return estimator_->cost(); }
    bool has_removal() const override { return estimator_->has_removal(); }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override {
        return estimator_->estimate_without(state, action, detail);
    }
    const std::vector<std::uint32_t>& preferred() const override;

    std::uint64_t hits() const { return hits_; }

private:
    struct Entry {
        std::uint64_t hash = 0;
        std::int32_t value = kDeadEnd; // no entry
    };

    std::shared_ptr<Estimator> estimator_;
    std::size_t words_;
    std::vector<Entry> entries_;
    std::uint64_t hits_ = 0;
    bool hit_ = false;
};

} // namespace beeline
