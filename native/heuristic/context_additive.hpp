// hCEA: the context-enhanced additive heuristic. Like hADD it adds up the costs of conditions; like hCG it counts from
// where a variable was left by the step before, but it needs no order of the variables.
//
// Helmert and Geffner, Unifying the causal graph and additive heuristics, ICAPS 2008.
#pragma once

#include "heuristic/domain_graphs.hpp"
#include "heuristic/estimator.hpp"
#include "task/removal.hpp"

#include <cstdint>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace beeline {

class ContextAdditiveEstimator final : public Estimator {
public:
    explicit ContextAdditiveEstimator(std::shared_ptr<const Task> task);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return false; }
    std::uint32_t cost() const override { return 1 + static_cast<std::uint32_t>(graphs_.transitions().size() / 8); }
    bool has_removal() const override { return true; }
    std::int32_t estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) override;
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<ContextAdditiveEstimator>(*this); }

private:
    // A value of a variable in the problem of reaching it from a given start value.
    struct Node {
        std::int32_t cost;
        std::int32_t reached_by; // trial, -1 for the start
        bool is_done;
        std::vector<std::int32_t> waiting; // trials that need this value
        std::vector<std::int32_t> context; // by neighbour, once done
    };
    struct Problem {
        std::int32_t base = -1; // cost at which it was posed; -1: not yet
        std::vector<Node> nodes;
    };
    // A transition tried from a reached value of a problem.
    struct Trial {
        std::int32_t problem, source, target;
        std::int32_t transition; // of a variable, or of the goal (then it counts targets)
        std::int32_t cost, missing;
    };
    struct Setup {
        std::int32_t neighbour; // position among the variable's neighbours
        std::int32_t variable, needed, left;
    };

    void find_neighbours();
    std::int32_t evaluate();
    std::int32_t problem_of(std::int32_t variable, std::int32_t start) const;
    void pose(std::int32_t variable, std::int32_t start, std::int32_t base);
    void try_targets();
    void expand(std::int32_t problem, std::int32_t value);
    void attempt(std::int32_t problem, std::int32_t source, std::int32_t id);
    // Asks for a value; adds its cost to the trial, or makes the trial wait for it.
    void require(std::int32_t trial, std::int32_t variable, std::int32_t now, std::int32_t wanted, std::int32_t base);
    void fire(std::int32_t trial);

    DomainGraphs graphs_;
    Removal removal_;
    std::vector<std::vector<std::int32_t>> neighbours_; // by variable: those that its transitions need or change
    std::vector<std::vector<Setup>> setups_;            // by transition
    std::vector<std::int32_t> first_problem_;           // by variable
    std::vector<std::int32_t> variable_of_;             // by problem
    std::vector<Problem> problems_;
    std::vector<std::int32_t> posed_;
    std::vector<Trial> trials_;
    std::vector<std::int32_t> values_;
    std::int32_t goal_cost_ = 0;
    using Entry = std::pair<std::int32_t, std::pair<std::int32_t, std::int32_t>>; // priority, problem, value
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    const std::vector<std::uint8_t>* removed_ = nullptr;
};

} // namespace beeline
