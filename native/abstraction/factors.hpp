// The grounded task as a product of small transition systems, one for each cell that matters: a process's location, an
// integer, an element of an array, a place of a channel. Steps are labels; a label moves the systems that it mentions
// at once and leaves the others where they are.
//
// Unlike the relaxation, which never deletes facts, the product says what a step does to every cell. Where the task
// does not tell (what moves up in a channel, what several listeners of a broadcast write), the cell may get any value:
// the product over-approximates, so its distances are never too large.
#pragma once

#include "task/allowance.hpp"
#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

struct Move {
    std::int32_t from, to;
    auto operator<=>(const Move&) const = default;
};
using Relation = std::vector<Move>; // sorted, without repetition

struct Factor {
    std::int32_t cell;                // -1: whether the goal was reached, where that is no product of conditions
    std::vector<std::int32_t> values; // of the cell, by state
    std::int32_t initial = 0;
    std::vector<std::uint8_t> goal; // by state; all of them where the goal does not ask
    std::vector<Relation> relations;
};

// In which system a label moves, and by which of its relations.
struct Use {
    std::int32_t system, relation;
    auto operator<=>(const Use&) const = default;
};

struct Label {
    std::int32_t cost;
    std::vector<Use> uses; // by system; a system that is not named stays where it is
};

class FactoredTask {
public:
    // With `whole`, cells that play no part on a way to the goal are factors, too. What the allowance throws ends the
    // work; there is no half of it.
    FactoredTask(std::shared_ptr<const Task> task, Allowance& allowance, bool whole = false);

    const Task& task() const { return *task_; }
    const std::vector<Factor>& factors() const { return factors_; }
    const std::vector<Label>& labels() const { return labels_; }
    // No goal at all: nothing can be reached.
    bool is_hopeless() const { return task_->goals().empty(); }
    bool is_goal_factor(std::size_t factor) const;
    // Factors whose values steps ask for when they change this one.
    std::vector<std::vector<std::int32_t>> causes() const;

private:
    struct Effect {
        enum class Kind : std::uint8_t { kTo, kAny, kMaybe } kind;
        std::int32_t cell;
        std::vector<std::int32_t> targets; // kTo: one of these states
        Relation moves;                    // kMaybe: one of these moves, or none
    };
    // What one step asks of cells and does to them.
    struct Step {
        std::int32_t cost;
        std::vector<std::pair<std::int32_t, std::int32_t>> conditions; // cell and state
        std::vector<Effect> effects;                                   // at most one for each cell
        std::vector<std::int32_t> look_at(std::int32_t cell) const;
        bool allows(std::int32_t cell, std::int32_t state) const;
    };

    void number_facts();
    bool make_product(Allowance& allowance);
    void leave_out(std::int32_t cell);
    void collect_steps(Allowance& allowance);
    Step step_of(const Operator& op) const;
    bool is_whole(const Operator& op, const EdgeRow& edge) const;
    void forget_contents(Step& step, const EdgeRow& edge) const;
    static void forget(Step& step, std::int32_t cell);
    bool is_broadcast(const Operator& op) const;
    std::int32_t location_of(std::uint32_t action) const;
    void add_broadcast(std::uint32_t action, const std::vector<const Operator*>& alone,
                       const std::vector<const Operator*>& heard);
    void keep_relevant();
    bool goal_is_product() const;
    void make_factors();
    void make_goal();
    std::vector<std::int32_t> make_labels(Allowance& allowance);
    Relation relation_of(std::int32_t cell, const Step& step) const;

    std::int32_t size(std::int32_t cell) const { return static_cast<std::int32_t>(values_[place(cell)].size()); }
    static std::size_t place(std::int32_t index) { return static_cast<std::size_t>(index); }

    std::shared_ptr<const Task> task_;
    bool whole_;
    std::vector<std::int32_t> state_of_fact_;       // within its cell; -1 where the cell is left out
    std::vector<std::vector<std::int32_t>> values_; // by cell and state; empty where the cell is left out
    std::vector<Step> steps_;
    std::vector<std::int32_t> factor_of_; // by cell; -1: none
    std::vector<Factor> factors_;
    std::vector<Label> labels_;
};

} // namespace beeline
