// The finite-domain view of a compiled network that heuristics are built from: facts (a cell has a value), operators
// (under these facts a step can add those) and goals (sets of facts that are violations).
//
// The view over-approximates: whatever the network can do, a sequence of operators can do on facts that are never
// deleted. It is found by running the bytecode with cells that take every value seen so far, one combination at a time.
// A cell with too many values to follow becomes wild: reads of it are unconstrained and writes to it are ignored.
#pragma once

#include "task/allowance.hpp"
#include "vm/program.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

struct Operator {
    std::vector<std::int32_t> conditions; // facts
    std::vector<std::int32_t> effects;    // facts
    std::uint32_t action;                 // edge of the process that begins the step
    std::uint32_t second;                 // 1 + edge of the second process, 0 for none
    std::int32_t cost;                    // 0 inside a deterministic region: that is still the same step
};

struct Goal {
    std::vector<std::int32_t> conditions;
    std::int32_t cost;    // a failing step counts itself
    bool failure = false; // of a step, whatever is sought
};

struct TaskLimits {
    std::int32_t values = 512;        // of one cell, before it becomes wild
    std::int32_t branches = 4000;     // combinations of one step, before it is approximated
    std::int32_t operators = 1000000; // in all
    std::int64_t work = 20000000;     // instructions in all, before every step is approximated
    std::int32_t goals = 64;          // ways for one step to fail, before only its locations count
    bool apart = true;                // approximated at first by operators for what a step copies, beside the rest
};

class Task {
public:
    Task(std::shared_ptr<const Program> program, bool with_errors, TaskLimits limits = {});
    Task(std::shared_ptr<const Program> program, bool with_errors, TaskLimits limits, Allowance& allowance);

    const Program& program() const { return *program_; }
    const std::vector<Operator>& operators() const { return operators_; }
    const std::vector<Goal>& goals() const { return goals_; }
    std::int32_t facts() const { return static_cast<std::int32_t>(fact_cell_.size()); }
    std::int32_t fact_cell(std::int32_t fact) const { return fact_cell_[static_cast<std::size_t>(fact)]; }
    std::int32_t fact_value(std::int32_t fact) const { return fact_value_[static_cast<std::size_t>(fact)]; }
    // The fact that `cell` has `value`, -1 if it can never have it or the cell is wild.
    std::int32_t fact(std::int32_t cell, std::int32_t value) const;
    // Cells that have facts, so that a state's facts can be listed.
    const std::vector<std::int32_t>& cells() const { return cells_; }
    bool is_wild(std::int32_t cell) const { return wild_[static_cast<std::size_t>(cell)] != 0; }
    // False if a limit cut the view: it is then no over-approximation, and no heuristic may be built on it.
    bool is_complete() const { return complete_; }
    // Whether that was a limit of time or memory.
    bool is_late() const { return late_; }
    // Whether operators do exactly what the network's steps do, as far as values go: nothing had to be guessed. What
    // only forbids steps (priorities, committed locations, ..) is not part of the view.
    bool is_exact() const { return exact_; }
    // How many of the goals are ways for a step to fail, and the task without these.
    std::size_t failures() const;
    Task without_failures() const;
    // Whether some step has operators beside its own for what it copies from cell to cell.
    bool is_apart() const { return apart_; }
    // Facts of the packed state, into `out`.
    void facts_of(const std::uint32_t* words, std::vector<std::int32_t>& out) const;

private:
    friend class Grounder;

    std::shared_ptr<const Program> program_;
    std::vector<Operator> operators_;
    std::vector<Goal> goals_;
    std::vector<std::int32_t> fact_cell_, fact_value_;
    std::vector<std::vector<std::int32_t>> facts_by_cell_; // in the order in which values were met
    std::vector<std::vector<std::int32_t>> direct_;        // by value - low, for small domains
    std::vector<std::uint8_t> wild_;
    std::vector<std::int32_t> cells_;
    bool complete_ = true;
    bool late_ = false;
    bool exact_ = true;
    bool apart_ = false;

    void find(bool with_errors, TaskLimits limits, Allowance& allowance);
    void index();
};

} // namespace beeline
