// How far a state of a PairSpace is from closing its cycle. Before a seed is chosen: the way to an accepting state,
// which another heuristic may tell, and a step for the cycle. Then: for the monitor and each cell of the state, the way
// in its own graph to what it is in the seed (Edelkamp and Jabbar, SPIN 2006, for the places of processes). The largest
// of these distances, or their sum, which says too much where a step changes several.
//
// The graphs of cells are the factors of a task. Without these, only the monitor and the graphs of processes are
// followed.
#pragma once

#include "abstraction/factors.hpp"
#include "heuristic/estimator.hpp"
#include "vm/program.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace beeline {

class PairDistance final : public Estimator {
public:
    // Factors, and the heuristic for the way to an accepting state, may be null.
    PairDistance(std::shared_ptr<const Program> program, bool sum, const FactoredTask* factors,
                 std::shared_ptr<Estimator> to_acceptance);
    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    std::uint32_t cost() const override { return to_acceptance_ ? 1 + to_acceptance_->cost() : 1; }

private:
    struct Step {
        std::int32_t from, to, cost; // 0 or 1
        auto operator<=>(const Step&) const = default;
    };
    // Of a cell: its values by position, and the steps between them.
    struct Graph {
        std::int32_t places;
        std::vector<Step> steps; // sorted, without repetition
        auto operator<=>(const Graph&) const = default;
    };
    using Distances = std::vector<std::vector<std::int32_t>>; // from each place to each other one

    // A cell that is followed, with the place in its graph of each value, sorted.
    struct Walker {
        std::int32_t cell;
        std::size_t graph;
        std::vector<std::pair<std::int32_t, std::int32_t>> places;
    };

    static Distances all_distances(const Graph& graph);
    std::int32_t value(std::int32_t cell, const Word* state) const;
    static std::int32_t place(const Walker& walker, std::int32_t value);
    std::int32_t way(const Walker& walker, const Word* from, const Word* to) const;
    std::int32_t to_accepting(const Word* state);
    void add_monitor();
    void add_processes();
    void add_factors(const FactoredTask& factored);
    void add(std::int32_t cell, Graph graph, const std::vector<std::int32_t>& values);

    std::shared_ptr<const Program> program_;
    bool sum_;
    std::map<Graph, std::size_t> known_; // graphs that are equal are one
    std::vector<Distances> graphs_;
    std::vector<Walker> walkers_;
    std::vector<std::int32_t> to_accepting_; // by place of the monitor; empty without one
    std::shared_ptr<Estimator> to_acceptance_;
};

} // namespace beeline
