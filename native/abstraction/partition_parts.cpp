#include "abstraction/partition_parts.hpp"

namespace beeline {

void PartitionParts::add(Abstraction abstraction) {
    hopeless_ = hopeless_ || abstraction.is_hopeless();
    std::vector<LabelledSystem> systems = abstraction.take_systems();
    if (systems.empty()) {
        return;
    }
    composed_at_.push_back(count_);
    composed_.push_back(std::move(abstraction));
    count_ += systems.size();
    std::move(systems.begin(), systems.end(), std::back_inserter(systems_));
}

void PartitionParts::add(CartesianAbstraction abstraction) {
    hopeless_ = hopeless_ || abstraction.is_hopeless();
    if (abstraction.states() < 2) {
        return; // tells nothing
    }
    split_at_.push_back(count_++);
    systems_.push_back(abstraction.take_system());
    split_.push_back(abstraction.take_tree());
}

std::size_t PartitionParts::bytes() const {
    std::size_t total = 0;
    for (const Abstraction& one : composed_) {
        total += one.bytes();
    }
    for (const SplitTree& one : split_) {
        total += one.bytes();
    }
    return total;
}

template <class Composed, class Split>
void PartitionParts::find_all(std::vector<std::int32_t>& places, const Composed& composed, const Split& split) {
    places.resize(count_);
    for (std::size_t i = 0; i < composed_.size(); ++i) {
        composed(composed_[i], places.data() + composed_at_[i]);
    }
    for (std::size_t i = 0; i < split_.size(); ++i) {
        const std::int32_t state = split(split_[i]);
        places[split_at_[i]] = state == kNoState ? Abstraction::kNotKnown : state;
    }
}

void PartitionParts::find(const Word* words, std::vector<std::int32_t>& places) {
    find_all(
        places, [words](Abstraction& one, std::int32_t* found) { one.find(words, found); },
        [words](const SplitTree& tree) { return tree.find(words); });
}

void PartitionParts::find_at(const std::vector<std::int32_t>& states, std::vector<std::int32_t>& places) {
    find_all(
        places, [&](Abstraction& one, std::int32_t* found) { one.find_at(*task_, states, found); },
        [&](const SplitTree& tree) { return tree.find_at(states); });
}

} // namespace beeline
