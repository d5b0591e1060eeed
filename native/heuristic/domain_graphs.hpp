// A task as one graph for each cell: its values, and the operators that lead from one value to another. Heuristics that
// follow who depends on whom are built on it.
#pragma once

#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

class DomainGraphs {
public:
    explicit DomainGraphs(std::shared_ptr<const Task> task);

    // Another variable must have `needed` (-1: whatever it has) and has `left` afterwards (-1: what it had).
    struct Setting {
        std::int32_t variable, needed, left;
    };
    struct Transition {
        std::int32_t from; // -1: from any value
        std::int32_t to;
        std::int32_t cost;
        std::int32_t op;
        std::vector<Setting> settings;
    };
    struct Variable {
        std::int32_t values = 0;
        bool is_automaton = false;                      // where a process is, not what a variable holds
        std::vector<std::vector<std::int32_t>> leaving; // transitions by value
        std::vector<std::int32_t> from_any;
    };
    struct Condition {
        std::int32_t variable, value;
    };
    struct Target {
        std::vector<Condition> conditions;
        std::int32_t cost;
    };

    const Task& task() const { return *task_; }
    const std::vector<Variable>& variables() const { return variables_; }
    const std::vector<Transition>& transitions() const { return transitions_; }
    const std::vector<Target>& targets() const { return targets_; }
    // The value of each variable in a packed state, as positions in its domain.
    void values_of(const std::uint32_t* words, std::vector<std::int32_t>& out);

    // Calls `visit` with each transition that can be taken from a value.
    template <typename Visit>
    void for_each_leaving(std::int32_t variable, std::int32_t value, Visit&& visit) const {
        const Variable& place = variables_[static_cast<std::size_t>(variable)];
        for (const std::int32_t id : place.leaving[static_cast<std::size_t>(value)]) {
            visit(id, transitions_[static_cast<std::size_t>(id)]);
        }
        for (const std::int32_t id : place.from_any) {
            visit(id, transitions_[static_cast<std::size_t>(id)]);
        }
    }

private:
    void add_operator(std::int32_t index);
    Condition condition(std::int32_t fact) const;

    std::shared_ptr<const Task> task_;
    std::vector<Variable> variables_;
    std::vector<Transition> transitions_;
    std::vector<Target> targets_;
    std::vector<std::int32_t> variable_of_cell_, value_of_fact_;
    std::vector<std::int32_t> facts_;
};

} // namespace beeline
