// A heuristic by Cartesian abstraction: it begins with one state that stands for all, and as long as an abstract error
// trace does not fit the task, the state where it fails is split (Seipp, Helmert, "Counterexample-guided Cartesian
// abstraction refinement for classical planning", JAIR 62, 2018). The task is the product of `factors.hpp`: a step that
// fails is one after which some factor cannot be where the abstract step leads, whether because it may not begin there
// or because it leads elsewhere. Distances are exact if no trace fails any more, and too small at any time before.
#pragma once

#include "abstraction/cartesian_states.hpp"
#include "heuristic/estimator.hpp"
#include "task/allowance.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

// Which factor is split where several fail.
enum class SplitChoice : std::uint8_t {
    kRefined, // the one of whose states the abstract one holds the smallest share already
    kCoarse,  // the largest share
    kFirst,   // in the order of the factors
};

struct CartesianOptions {
    std::int32_t states = 10000;
    std::size_t steps = 1000000;  // between different states
    std::size_t work = 200000000; // looks at labels and steps
    SplitChoice choice = SplitChoice::kRefined;
    bool labelled = false; // whether the system is wanted, too
};

// The goal of the task itself.
CartesianAim aim_of(const FactoredTask& task);

class CartesianAbstraction {
public:
    CartesianAbstraction(const FactoredTask& task, const CartesianAim& aim, const CartesianOptions& options,
                         Allowance& allowance);

    // Steps that are missing at least from a packed state, or kDeadEnd.
    std::int32_t estimate(const Word* words) const;
    // For those who measure it with other costs.
    SplitTree take_tree() { return std::move(tree_); }
    LabelledSystem take_system() { return std::move(system_); }

    // What was built.
    bool is_hopeless() const { return hopeless_; } // the goal is proved to be out of reach
    bool is_exact() const { return exact_; }       // from the initial state
    bool is_cut() const { return cut_; }           // by a limit
    bool is_late() const { return late_; }         // the time was up
    std::size_t steps() const { return steps_; }   // between different states
    std::size_t work() const { return work_; }
    std::int32_t states() const { return static_cast<std::int32_t>(distances_.size()); }
    std::size_t bytes() const { return tree_.bytes() + distances_.size() * sizeof(std::int32_t); }

private:
    std::vector<std::int32_t> distances_; // by state
    LabelledSystem system_;
    std::size_t steps_ = 0;
    std::size_t work_ = 0;
    bool hopeless_ = false;
    bool exact_ = false;
    bool cut_ = false;
    bool late_ = false;
    SplitTree tree_;
};

class CartesianEstimator final : public Estimator {
public:
    explicit CartesianEstimator(std::shared_ptr<const CartesianAbstraction> abstraction)
        : abstraction_(std::move(abstraction)) {}

    std::int32_t estimate(const Word* state) override { return abstraction_->estimate(state); }
    bool is_safe() const override { return true; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<CartesianEstimator>(abstraction_); }
    const CartesianAbstraction& abstraction() const { return *abstraction_; }

private:
    std::shared_ptr<const CartesianAbstraction> abstraction_;
};

} // namespace beeline
