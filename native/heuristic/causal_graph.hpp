// hCG: what it costs to bring each goal variable to its value, counting what its predecessors in the causal graph must
// do for it, in the context in which they are at that point.
//
// Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009. The greedy context can strand
// a predecessor, so that "no way" is no proof: such states get a large value instead.
#pragma once

#include "heuristic/domain_graphs.hpp"
#include "heuristic/estimator.hpp"
#include "task/removal.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

class CausalGraphEstimator final : public Estimator {
public:
    explicit CausalGraphEstimator(std::shared_ptr<const Task> task);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return false; }
    std::uint32_t cost() const override { return 1 + static_cast<std::uint32_t>(graphs_.transitions().size() / 16); }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<CausalGraphEstimator>(*this); }

private:
    // Costs from one value of a variable to all others, and where that leaves its predecessors.
    struct Row {
        bool is_valid = false;
        std::vector<std::int32_t> cost;
        std::vector<std::int32_t> context; // by value, then by predecessor
    };
    struct Setup {
        std::int32_t predecessor; // position among the variable's predecessors
        std::int32_t needed, left;
    };
    struct Node {
        std::vector<std::int32_t> predecessors;
        std::vector<Row> rows; // by start value
    };

    void order_variables();
    void keep_earlier_settings();
    std::int32_t evaluate();
    void forget(bool everything);
    const Row& row(std::int32_t variable, std::int32_t start);
    void fill(std::int32_t variable, std::int32_t start, Row& row);
    void follow(const Node& node, std::int32_t id, std::int32_t value, Row& row);

    DomainGraphs graphs_;
    Removal removal_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;         // variables, earlier ones first
    std::vector<std::int32_t> position_;      // by variable
    std::vector<std::vector<Setup>> setups_;  // by transition: what earlier variables have to do with it
    std::vector<std::int32_t> values_, seen_; // of the state at hand, and of the one that rows were computed for
    std::vector<std::uint8_t> stale_;
    const std::vector<std::uint8_t>* removed_ = nullptr;
    std::vector<std::int32_t> after_;
};

} // namespace beeline
