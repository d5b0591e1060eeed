// dL and dU: how far each process is, in its own graph, from the locations that the goal asks of it; the largest of
// these distances or their sum. Guards, synchronisation and variables are ignored.
#pragma once

#include "heuristic/estimator.hpp"
#include "task/task.hpp"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beeline {

class GraphDistance final : public Estimator {
public:
    GraphDistance(std::shared_ptr<const Task> task, bool sum);
    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    std::int32_t add_to(Lookup& lookup) const override;
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<GraphDistance>(*this); }

private:
    // One goal's demands: for a process number, the distance from each location of each kind.
    struct Demand {
        std::int32_t number;
        std::vector<std::vector<std::int32_t>> distance; // by tag, then location; empty where nothing can be said
    };
    struct Way {
        std::vector<Demand> demands;
        std::int32_t cost;
    };
    using Asked = std::vector<std::pair<std::int32_t, std::int32_t>>; // process numbers and the locations asked of them
    // Edges that do not exist: all that lead a process number to a location.
    using Removed = std::vector<std::pair<std::int32_t, std::int32_t>>;

    std::vector<Way> ways(const Removed& removed) const;
    Demand demand(std::int32_t number, std::int32_t location, const Removed& removed) const;
    std::int32_t least(const std::vector<Way>& ways, const Word* state) const;
    std::pair<std::int32_t, std::int32_t> arrival(std::uint32_t edge) const;
    std::int32_t value(std::int32_t cell, const Word* state) const;

    std::shared_ptr<const Task> task_;
    bool sum_;
    std::vector<std::pair<Asked, std::int32_t>> goals_;
    std::vector<Way> ways_;
    std::unordered_map<std::uint64_t, std::vector<Way>> ways_without_;
};

} // namespace beeline
