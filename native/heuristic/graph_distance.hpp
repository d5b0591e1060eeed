// dL and dU: how far each process is, in its own graph, from the locations that the goal asks of it; the largest of these
// distances or their sum. Guards, synchronisation and variables are ignored.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/task.hpp"

#include <memory>
#include <vector>

namespace beeline {

class GraphDistance final : public Estimator {
public:
    GraphDistance(std::shared_ptr<const Task> task, bool sum);
    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }

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
    Demand demand(std::int32_t number, std::int32_t tag, std::int32_t location) const;
    std::int32_t value(std::int32_t cell, const Word* state) const;

    std::shared_ptr<const Task> task_;
    bool sum_;
    std::vector<Way> ways_;
};

} // namespace beeline
