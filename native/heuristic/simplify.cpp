#include "heuristic/simplify.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Facts from which a goal can be had, going backwards.
std::vector<std::uint8_t> relevant_facts(const Task& task) {
    std::vector<std::vector<std::int32_t>> achievers(at(task.facts()));
    for (std::size_t op = 0; op < task.operators().size(); ++op) {
        for (const std::int32_t fact : task.operators()[op].effects) {
            achievers[at(fact)].push_back(static_cast<std::int32_t>(op));
        }
    }
    std::vector<std::uint8_t> relevant(at(task.facts()) + 1, 0), used(task.operators().size(), 0);
    std::vector<std::int32_t> waiting;
    const auto need = [&](const std::vector<std::int32_t>& conditions) {
        for (const std::int32_t fact : conditions) {
            if (relevant[at(fact)] == 0) {
                relevant[at(fact)] = 1;
                waiting.push_back(fact);
            }
        }
    };
    for (const Goal& goal : task.goals()) {
        need(goal.conditions);
    }
    while (!waiting.empty()) {
        const std::int32_t fact = waiting.back();
        waiting.pop_back();
        for (const std::int32_t op : achievers[at(fact)]) {
            if (used[at(op)] == 0) {
                used[at(op)] = 1;
                need(task.operators()[at(op)].conditions);
            }
        }
    }
    return relevant;
}

// Steps that an earlier one with no more conditions, no fewer effects and no higher cost makes useless.
class Undominated {
public:
    explicit Undominated(std::size_t facts) : by_first_(facts + 1) {}

    // False if the step is useless; otherwise those to come are compared with it.
    bool add(const RelaxedStep& step) {
        Sorted sorted{sorted_copy(step.conditions), sorted_copy(step.effects), step.cost, 0};
        sorted.signature = signature(sorted.conditions);
        // The lowest condition of the better step is among those of the worse.
        bool useless = is_useless(sorted, by_first_.back());
        for (std::size_t i = 0; !useless && i < sorted.conditions.size(); ++i) {
            useless = is_useless(sorted, by_first_[at(sorted.conditions[i])]);
        }
        if (!useless) {
            auto& row = sorted.conditions.empty() ? by_first_.back() : by_first_[at(sorted.conditions.front())];
            row.push_back(std::move(sorted));
        }
        return !useless;
    }

private:
    struct Sorted {
        std::vector<std::int32_t> conditions, effects;
        std::int32_t cost;
        std::uint64_t signature; // of the conditions: most that are no subset are told apart by it
    };

    static std::vector<std::int32_t> sorted_copy(std::vector<std::int32_t> facts) {
        std::sort(facts.begin(), facts.end());
        return facts;
    }
    static std::uint64_t signature(const std::vector<std::int32_t>& facts) {
        std::uint64_t bits = 0;
        for (const std::int32_t fact : facts) {
            bits |= std::uint64_t{1} << (fact % 64);
        }
        return bits;
    }
    static bool within(const std::vector<std::int32_t>& part, const std::vector<std::int32_t>& whole) {
        return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
    }
    static bool is_useless(const Sorted& step, const std::vector<Sorted>& others) {
        return std::any_of(others.begin(), others.end(), [&](const Sorted& other) {
            return (other.signature & ~step.signature) == 0 && other.cost <= step.cost &&
                   within(other.conditions, step.conditions) && within(step.effects, other.effects);
        });
    }

    std::vector<std::vector<Sorted>> by_first_; // by lowest condition; those without any come last
};

} // namespace

std::vector<RelaxedStep> relevant_steps(const Task& task, bool may_remove) {
    const std::vector<std::uint8_t> relevant = relevant_facts(task);
    std::vector<RelaxedStep> steps;
    Undominated operators(at(task.facts())), goals(at(task.facts()));
    for (std::size_t i = 0; i < task.operators().size(); ++i) {
        const Operator& op = task.operators()[i];
        RelaxedStep step{op.conditions, {}, op.cost, static_cast<std::int32_t>(i)};
        for (const std::int32_t fact : op.effects) {
            const bool held = std::find(op.conditions.begin(), op.conditions.end(), fact) != op.conditions.end();
            if (relevant[at(fact)] != 0 && !held) {
                step.effects.push_back(fact);
            }
        }
        if (!step.effects.empty() && (may_remove || operators.add(step))) {
            steps.push_back(std::move(step));
        }
    }
    for (const Goal& goal : task.goals()) {
        RelaxedStep step{goal.conditions, {task.facts()}, goal.cost, -1};
        if (goals.add(step)) {
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

} // namespace beeline
