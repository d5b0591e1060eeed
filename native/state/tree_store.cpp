#include "state/tree_store.hpp"

#include <algorithm>

namespace beeline {

TreeStore::TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states)
    : words_(words), max_states_(std::min<std::size_t>(max_states, kNoIndex - 1)), roots_(account), parts_(account) {
    const std::size_t count = std::max<std::size_t>(words, 2); // beside a single word the root has an empty half
    const std::size_t half = (count + 1) / 2;
    const std::size_t left = split(0, half);
    root_ = {left, split(half, count - half), 0};
    folded_.resize(count + pairs_.size());
    unfolded_ = folded_;
    changed_.resize(folded_.size());
}

// Adds the pairs of some words and returns the position of what stands for them. Positions of pairs come after words.
std::size_t TreeStore::split(std::size_t first, std::size_t count) {
    if (count == 1) {
        return first;
    }
    const std::size_t half = (count + 1) / 2;
    const std::size_t left = split(first, half);
    const std::size_t right = split(first + half, count - half);
    pairs_.push_back({left, right, std::max<std::size_t>(words_, 2) + pairs_.size()});
    return pairs_.back().number;
}

std::uint32_t TreeStore::number_of(std::uint32_t left, std::uint32_t right) const {
    bool fresh = false;
    const std::uint32_t number = parts_.insert(left, right, PairSet::hash(left, right), fresh);
    out_of_memory_ = out_of_memory_ || number == PairSet::kNone;
    return number;
}

// Only what differs from the state before, and the way from there to the root.
std::uint64_t TreeStore::hash(const Word* words) const {
    for (std::size_t i = 0; i < words_; ++i) {
        changed_[i] = folded_[i] != words[i] || !is_folded_;
        folded_[i] = words[i];
    }
    for (const Pair& pair : pairs_) {
        changed_[pair.number] = changed_[pair.left] | changed_[pair.right];
        if (changed_[pair.number] != 0) {
            folded_[pair.number] = number_of(folded_[pair.left], folded_[pair.right]);
        }
    }
    is_folded_ = true;
    return folded_[root_.left] | std::uint64_t{folded_[root_.right]} << 32;
}

const Word* TreeStore::state(Index index) const {
    const auto write = [this](std::size_t position, std::uint32_t number) {
        changed_[position] = unfolded_[position] != number || !is_unfolded_;
        unfolded_[position] = number;
    };
    write(root_.left, roots_.first(index));
    write(root_.right, roots_.second(index));
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
        changed_[pair->left] = changed_[pair->right] = 0;
        if (changed_[pair->number] != 0) {
            write(pair->left, parts_.first(unfolded_[pair->number]));
            write(pair->right, parts_.second(unfolded_[pair->number]));
        }
    }
    is_unfolded_ = true;
    return unfolded_.data();
}

Insertion TreeStore::insert(const Word*, std::uint64_t root, Index, std::uint32_t) {
    const std::uint64_t code = PairSet::hash(left(root), right(root));
    if (out_of_memory_) {
        return {Insert::kFull, kNoIndex};
    }
    if (at_state_limit()) {
        const std::uint32_t known = roots_.find(left(root), right(root), code);
        return {known == PairSet::kNone ? Insert::kFull : Insert::kKnown, known};
    }
    bool fresh = false;
    const std::uint32_t index = roots_.insert(left(root), right(root), code, fresh);
    if (index == PairSet::kNone) {
        return {Insert::kFull, kNoIndex};
    }
    return {fresh ? Insert::kFresh : Insert::kKnown, index};
}

void TreeStore::clear() {
    roots_.clear();
    parts_.clear();
    layers_.clear();
    is_folded_ = is_unfolded_ = out_of_memory_ = false;
}

} // namespace beeline
