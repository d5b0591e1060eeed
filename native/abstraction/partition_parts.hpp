// Abstractions of different kinds as systems that share costs: what tells in which state of each system a state of the
// task is.
#pragma once

#include "abstraction/abstraction.hpp"
#include "abstraction/cartesian.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

class PartitionParts {
public:
    explicit PartitionParts(std::shared_ptr<const FactoredTask> task) : task_(std::move(task)) {}

    // Abstractions that were built with their labelled systems.
    void add(Abstraction abstraction);
    void add(CartesianAbstraction abstraction);

    const FactoredTask& task() const { return *task_; }
    std::size_t size() const { return systems_.size(); }
    std::size_t bytes() const;
    // One of them has proved that the goal is out of reach.
    bool is_hopeless() const { return hopeless_; }
    std::vector<LabelledSystem> take_systems() { return std::move(systems_); }

    // A state of each system: kNoState in one in which it is a dead end, Abstraction::kNotKnown where a system has no
    // state for it.
    void find(const Word* words, std::vector<std::int32_t>& places);
    void find_at(const std::vector<std::int32_t>& states, std::vector<std::int32_t>& places);

private:
    template <class Composed, class Split>
    void find_all(std::vector<std::int32_t>& places, const Composed& composed, const Split& split);

    std::shared_ptr<const FactoredTask> task_;
    std::vector<Abstraction> composed_;
    std::vector<std::size_t> composed_at_; // the first of its systems
    std::vector<SplitTree> split_;
    std::vector<std::size_t> split_at_;
    std::vector<LabelledSystem> systems_;
    std::size_t count_ = 0;
    bool hopeless_ = false;
};

} // namespace beeline
