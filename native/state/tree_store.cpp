#include "state/tree_store.hpp"

#include <algorithm>

namespace beeline {

Forest::Forest(std::size_t words, MemoryAccount& account)
    : roots(account), words_(words), parts_(account), recent_(kRecent, Recent{0, 0, PairSet::kNone}) {
    const std::size_t count = std::max<std::size_t>(words, 2); // beside a single word the root has an empty half
    const std::size_t half = (count + 1) / 2;
    const std::size_t left = split(0, half);
    root_ = {left, split(half, count - half), 0};
    folded_.resize(count + pairs_.size());
    unfolded_ = folded_;
    changed_.resize(folded_.size());
}

// Adds the pairs of some words and returns the position of what stands for them. Positions of pairs come after words.
std::size_t Forest::split(std::size_t first, std::size_t count) {
    if (count == 1) {
        return first;
    }
    const std::size_t half = (count + 1) / 2;
    const std::size_t left = split(first, half);
    const std::size_t right = split(first + half, count - half);
    pairs_.push_back({left, right, std::max<std::size_t>(words_, 2) + pairs_.size()});
    return pairs_.back().number;
}

std::uint32_t Forest::number_of(std::uint32_t left, std::uint32_t right) {
    const std::uint64_t code = PairSet::hash(left, right);
    Recent& recent = recent_[code % kRecent];
    if (recent.left == left && recent.right == right && recent.number != PairSet::kNone) {
        return recent.number;
    }
    bool fresh = false;
    const std::uint32_t number = parts_.insert(left, right, code, fresh);
    out_of_memory_ = out_of_memory_ || number == PairSet::kNone;
    recent = {left, right, number};
    return number;
}

// Only what differs from the state last unfolded, and the way from there to the root.
std::uint64_t Forest::fold(const Word* words) {
    for (std::size_t i = 0; i < words_; ++i) {
        changed_[i] = unfolded_[i] != words[i] || !is_unfolded_;
        folded_[i] = words[i];
    }
    for (const Pair& pair : pairs_) {
        changed_[pair.number] = changed_[pair.left] | changed_[pair.right];
        folded_[pair.number] =
            changed_[pair.number] != 0 ? number_of(folded_[pair.left], folded_[pair.right]) : unfolded_[pair.number];
    }
    return folded_[root_.left] | std::uint64_t{folded_[root_.right]} << 32;
}

const Word* Forest::unfold(std::uint64_t root) {
    const auto write = [this](std::size_t position, std::uint32_t number) {
        changed_[position] = unfolded_[position] != number || !is_unfolded_;
        unfolded_[position] = number;
    };
    write(root_.left, left(root));
    write(root_.right, right(root));
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

void Forest::clear() {
    roots.clear();
    parts_.clear();
    std::fill(recent_.begin(), recent_.end(), Recent{0, 0, PairSet::kNone});
    is_unfolded_ = out_of_memory_ = false;
}

TreeStore::TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states)
    : QueuedStore(2, account, max_states), forest_(words, account) {}

Insertion TreeStore::insert(const Word*, std::uint64_t root, Index parent, std::uint32_t) {
    note_arc(parent);
    if (forest_.out_of_memory()) {
        return {Insert::kFull, kNoIndex};
    }
    if (at_state_limit()) {
        return {is_known(root) ? Insert::kKnown : Insert::kFull, 0};
    }
    const Word halves[2] = {Forest::left(root), Forest::right(root)};
    switch (forest_.roots.add(halves[0], halves[1])) {
    case ScatteredSet::Added::kFresh:
        return append(halves);
    case ScatteredSet::Added::kKnown:
        return {Insert::kKnown, 0};
    default:
        return {Insert::kFull, kNoIndex};
    }
}

void TreeStore::clear() {
    clear_queue();
    forest_.clear();
}

} // namespace beeline
