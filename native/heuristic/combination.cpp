#include "heuristic/combination.hpp"

#include "state/hash.hpp"

#include <stdexcept>

namespace beeline {

CombinedEstimator::CombinedEstimator(Join join, std::vector<std::shared_ptr<Estimator>> parts,
                                     std::vector<std::uint32_t> weights)
    : join_(join), parts_(std::move(parts)), weights_(std::move(weights)) {
    if (parts_.empty() || weights_.size() != parts_.size()) {
        throw std::invalid_argument("a combined heuristic needs parts, and a weight for each");
    }
}

template <class Ask>
std::int32_t CombinedEstimator::joined(Ask&& ask) const {
    constexpr std::int64_t most = kDeadEnd - 1;
    std::int64_t total = join_ == Join::kMinimum ? kDeadEnd : 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::int32_t value = ask(*parts_[i]);
        if (value == kDeadEnd) {
            if (join_ == Join::kMinimum) {
                continue;
            }
            return kDeadEnd;
        }
        const std::int64_t weighted = std::min(std::int64_t{value} * weights_[i], most);
        switch (join_) {
        case Join::kMaximum:
            total = std::max(total, weighted);
            break;
        case Join::kMinimum:
            total = std::min(total, weighted);
            break;
        case Join::kSum:
            total = std::min(total + weighted, most);
            break;
        }
    }
    return static_cast<std::int32_t>(total);
}

std::int32_t CombinedEstimator::estimate(const Word* state) {
    preferred_.clear();
    return joined([&](Estimator& part) {
        const std::int32_t value = part.estimate(state);
        preferred_.insert(preferred_.end(), part.preferred().begin(), part.preferred().end());
        return value;
    });
}

std::int32_t CombinedEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    return joined([&](Estimator& part) {
        return part.has_removal() ? part.estimate_without(state, action, detail) : part.estimate(state);
    });
}

bool CombinedEstimator::is_safe() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->is_safe(); });
}

bool CombinedEstimator::has_removal() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_removal(); });
}

std::uint32_t CombinedEstimator::cost() const {
    std::uint32_t total = 0;
    for (const auto& part : parts_) {
        total += part->cost();
    }
    return total;
}

std::int32_t CombinedEstimator::add_to(Lookup& lookup) const {
    std::vector<std::int32_t> names;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::int32_t name = weights_[i] == 1 ? parts_[i]->add_to(lookup) : -1;
        if (name < 0) {
            return -1;
        }
        names.push_back(name);
    }
    const auto how = join_ == Join::kMaximum   ? Lookup::Kind::kMaximum
                     : join_ == Join::kMinimum ? Lookup::Kind::kMinimum
                                               : Lookup::Kind::kSum;
    return lookup.join(how, std::move(names));
}

bool CombinedEstimator::can_clone() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->can_clone(); });
}

std::shared_ptr<Estimator> CombinedEstimator::clone() const {
    std::vector<std::shared_ptr<Estimator>> parts;
    for (const auto& part : parts_) {
        parts.push_back(part->clone());
    }
    return std::make_shared<CombinedEstimator>(join_, std::move(parts), weights_);
}

CachedEstimator::CachedEstimator(std::shared_ptr<Estimator> estimator, std::size_t words, std::size_t entries)
    : estimator_(std::move(estimator)), words_(words), entries_(entries) {
    if (entries == 0) {
        throw std::invalid_argument("a cache needs at least one entry");
    }
}

std::int32_t CachedEstimator::estimate(const Word* state) {
    const std::uint64_t hash = hash_words(state, words_);
    Entry& entry = entries_[hash % entries_.size()];
    hit_ = entry.value != kDeadEnd && entry.hash == hash;
    if (hit_) {
        ++hits_;
        return entry.value;
    }
    const std::int32_t value = estimator_->estimate(state);
    if (value != kDeadEnd) {
        entry = {hash, value};
    }
    return value;
}

const std::vector<std::uint32_t>& CachedEstimator::preferred() const {
    return hit_ ? Estimator::preferred() : estimator_->preferred();
}

} // namespace beeline
