#include "task/simplify.hpp"

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
    // `asked` tells how many steps ask for each fact.
    explicit Undominated(const std::vector<std::int32_t>& asked) : asked_(asked), by_rarest_(asked.size() + 1) {}

    // False if the step is useless; otherwise those to come are compared with it.
    bool add(const RelaxedStep& step) {
        Sorted sorted{sorted_copy(step.conditions), sorted_copy(step.effects)};
        const Signature signature{bits(sorted.conditions), bits(sorted.effects), step.cost};
        // The rarest condition of the better step is among those of the worse.
        bool useless = is_useless(sorted, signature, by_rarest_.back());
        for (std::size_t i = 0; !useless && i < sorted.conditions.size(); ++i) {
            useless = is_useless(sorted, signature, by_rarest_[at(sorted.conditions[i])]);
        }
        if (!useless) {
            Row& row = row_of(sorted.conditions);
            row.signatures.push_back(signature);
            row.steps.push_back(std::move(sorted));
        }
        return !useless;
    }

private:
    struct Sorted {
        std::vector<std::int32_t> conditions, effects;
    };
    // By which most pairs are told apart.
    struct Signature {
        std::uint64_t conditions, effects;
        std::int32_t cost;
    };
    struct Row {
        std::vector<Signature> signatures;
        std::vector<Sorted> steps;
    };

    Row& row_of(const std::vector<std::int32_t>& conditions) {
        const auto rarest =
            std::min_element(conditions.begin(), conditions.end(),
                             [this](std::int32_t a, std::int32_t b) { return asked_[at(a)] < asked_[at(b)]; });
        return rarest == conditions.end() ? by_rarest_.back() : by_rarest_[at(*rarest)];
    }
    static std::vector<std::int32_t> sorted_copy(std::vector<std::int32_t> facts) {
        std::sort(facts.begin(), facts.end());
        return facts;
    }
    static std::uint64_t bits(const std::vector<std::int32_t>& facts) {
        std::uint64_t set = 0;
        for (const std::int32_t fact : facts) {
            set |= std::uint64_t{1} << (fact % 64);
        }
        return set;
    }
    static bool within(const std::vector<std::int32_t>& part, const std::vector<std::int32_t>& whole) {
        return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
    }
    static bool is_useless(const Sorted& step, const Signature& signature, const Row& others) {
        for (std::size_t i = 0; i < others.steps.size(); ++i) {
            const Signature& other = others.signatures[i];
            if (((other.conditions & ~signature.conditions) | (signature.effects & ~other.effects)) == 0 &&
                other.cost <= signature.cost && within(others.steps[i].conditions, step.conditions) &&
                within(step.effects, others.steps[i].effects)) {
                return true;
            }
        }
        return false;
    }

    const std::vector<std::int32_t>& asked_;
    std::vector<Row> by_rarest_; // those without conditions come last
};

} // namespace

std::vector<RelaxedStep> relevant_steps(const Task& task, bool may_remove) {
    const std::vector<std::uint8_t> relevant = relevant_facts(task);
    std::vector<RelaxedStep> steps;
    std::vector<std::int32_t> asked(at(task.facts()), 0);
    const auto count = [&asked](const std::vector<std::int32_t>& conditions) {
        for (const std::int32_t fact : conditions) {
            ++asked[at(fact)];
        }
    };
    for (const Operator& op : task.operators()) {
        count(op.conditions);
    }
    for (const Goal& goal : task.goals()) {
        count(goal.conditions);
    }
    Undominated operators(asked), goals(asked);
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
