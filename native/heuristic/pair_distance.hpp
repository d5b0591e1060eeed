// How far a state of a PairSpace is from closing its cycle: before a seed is chosen, the way of the monitor to an
// accepting place; then, for each process and the monitor, the way in its own graph to where it is in the seed. The
// largest of these distances, or their sum (Edelkamp and Jabbar, SPIN 2006; the sum says too much where several
// processes move in one step).
#pragma once

#include "heuristic/estimator.hpp"
#include "vm/program.hpp"

#include <memory>
#include <vector>

namespace beeline {

class PairDistance final : public Estimator {
public:
    PairDistance(std::shared_ptr<const Program> program, bool sum);
    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }

private:
    using Distances = std::vector<std::vector<std::int32_t>>; // from each place to each other one

    // A process that keeps its kind, where it stands, and its graph.
    struct Walker {
        std::int32_t cell;
        std::size_t graph;
    };

    std::int32_t value(std::int32_t cell, const Word* state) const;
    std::int32_t way(const Walker& walker, const Word* from, const Word* to) const;
    std::int32_t to_accepting(const Word* state) const;
    void add_monitor();
    void add_processes();

    std::shared_ptr<const Program> program_;
    bool sum_;
    std::vector<Distances> graphs_;
    std::vector<Walker> walkers_;
    std::vector<std::int32_t> to_accepting_; // by place of the monitor; empty without one
};

} // namespace beeline
