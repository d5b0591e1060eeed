// Heuristics given by a formula over a state: expressions of the model, distances of processes in their own graphs,
// differences from a given state, and what is made of them by maximum, minimum and sum. Tables come from Python
// (beeline.heuristics.formula).
#pragma once

#include "heuristic/estimator.hpp"
#include "vm/machine.hpp"

#include <memory>
#include <vector>

namespace beeline {

class FormulaEstimator final : public Estimator {
public:
    enum Kind : std::int32_t {
        kConstant, // [value]; -1 for a dead end
        kValue,    // [block]: an expression's value, 0 if it is negative or fails
        kDiffers,  // [cell, value]: 1 if the cell has another value
        kPlace,    // [number, table]: where a process stands; table + its tag is the row of distances by location
        kMaximum,  // [node, ...]
        kMinimum,
        kSum,
    };

    // Nodes are rows of a kind and its operands, and only refer to nodes before them; the last one is the estimate.
    // Distances of -1 are dead ends; a row with one entry holds for all locations.
    FormulaEstimator(std::shared_ptr<const Program> program, const std::vector<std::vector<std::int32_t>>& nodes,
                     std::vector<std::vector<std::int32_t>> distances, bool safe);
    FormulaEstimator(const FormulaEstimator& other)
        : program_(other.program_), machine_(*program_), nodes_(other.nodes_), parts_(other.parts_),
          distances_(other.distances_), safe_(other.safe_), values_(other.values_.size()) {}

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return safe_; }
    std::uint32_t cost() const override { return static_cast<std::uint32_t>(1 + nodes_.size() / 16); }
    std::int32_t add_to(Lookup& lookup) const override;
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<FormulaEstimator>(*this); }

private:
    struct Node {
        Kind kind;
        std::int32_t a, b; // for joins: the range of their parts
    };

    void check(const Node& node, std::size_t position) const;
    std::int32_t value_of(const Node& node);
    std::int32_t run(std::int32_t block);
    std::int32_t distance(std::int32_t number, std::int32_t table) const;
    std::int32_t joined(const Node& node) const;
    std::int32_t add_place(Lookup& lookup, const Node& node) const;
    std::int32_t add_join(Lookup& lookup, const Node& node, const std::vector<std::int32_t>& names) const;

    std::shared_ptr<const Program> program_;
    Machine machine_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> parts_;
    std::vector<std::vector<std::int32_t>> distances_;
    bool safe_;
    std::vector<std::int32_t> values_; // by node
};

} // namespace beeline
