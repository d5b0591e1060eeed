#include "task/simplify.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Facts from which a goal can be had, going backwards.
std::vector<std::uint8_t> relevant_facts(const Task& task) {
    Rows effects;
    for (const Operator& op : task.operators()) {
        effects.add(op.effects);
    }
    const Rows achievers = effects.inverted(at(task.facts()));
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
        for (const std::int32_t op : achievers[fact]) {
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
    explicit Undominated(const std::vector<std::int32_t>& asked) : asked_(asked), by_rarest_(asked.size() + 1, kNone) {}

    // False if the step is useless; otherwise those to come are compared with it.
    bool add(Rows::Range conditions, Rows::Range effects, std::int32_t cost) {
        const Step step{bits(conditions), bits(effects), cost, pushed(conditions, effects), kNone};
        const Rows::Range sorted = conditions_[static_cast<std::int32_t>(steps_.size())];
        // The rarest condition of the better step is among those of the worse.
        bool useless = is_useless(step, by_rarest_.back());
        for (const std::int32_t* fact = sorted.begin(); !useless && fact != sorted.end(); ++fact) {
            useless = is_useless(step, by_rarest_[at(*fact)]);
        }
        steps_.push_back(step);
        if (!useless) {
            std::int32_t& first = first_with_rarest_of(sorted);
            steps_.back().next = first;
            first = step.number;
        }
        return !useless;
    }

private:
    static constexpr std::int32_t kNone = -1;

    // By the sets of facts most pairs are told apart.
    struct Step {
        std::uint64_t conditions, effects;
        std::int32_t cost, number, next; // with the same rarest condition
    };

    // Keeps the facts of a step in order, and says its number.
    std::int32_t pushed(Rows::Range conditions, Rows::Range effects) {
        for (const auto& [from, rows] : {std::pair(conditions, &conditions_), std::pair(effects, &effects_)}) {
            sorted_.assign(from.begin(), from.end());
            std::sort(sorted_.begin(), sorted_.end());
            rows->add(sorted_);
        }
        return static_cast<std::int32_t>(steps_.size());
    }
    std::int32_t& first_with_rarest_of(Rows::Range conditions) {
        const std::int32_t* rarest =
            std::min_element(conditions.begin(), conditions.end(),
                             [this](std::int32_t a, std::int32_t b) { return asked_[at(a)] < asked_[at(b)]; });
        return rarest == conditions.end() ? by_rarest_.back() : by_rarest_[at(*rarest)];
    }
    static std::uint64_t bits(Rows::Range facts) {
        std::uint64_t set = 0;
        for (const std::int32_t fact : facts) {
            set |= std::uint64_t{1} << (fact % 64);
        }
        return set;
    }
    static bool within(Rows::Range part, Rows::Range whole) {
        return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
    }
    bool is_useless(const Step& step, std::int32_t first) const {
        for (std::int32_t number = first; number != kNone; number = steps_[at(number)].next) {
            const Step& other = steps_[at(number)];
            if (((other.conditions & ~step.conditions) | (step.effects & ~other.effects)) == 0 &&
                other.cost <= step.cost && within(conditions_[number], conditions_[step.number]) &&
                within(effects_[step.number], effects_[number])) {
                return true;
            }
        }
        return false;
    }

    const std::vector<std::int32_t>& asked_;
    std::vector<std::int32_t> by_rarest_; // the last step with that condition; those without conditions come last
    std::vector<Step> steps_;
    Rows conditions_, effects_;
    std::vector<std::int32_t> sorted_; // scratch
};

// How many steps ask for each fact.
std::vector<std::int32_t> count_conditions(const Task& task) {
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
    return asked;
}

void add(RelaxedSteps& steps, const std::vector<std::int32_t>& conditions, std::int32_t cost, std::int32_t source) {
    steps.conditions.add(conditions);
    steps.effects.close();
    steps.cost.push_back(cost);
    steps.source.push_back(source);
}

Rows::Range range(const std::vector<std::int32_t>& facts) { return {facts.data(), facts.data() + facts.size()}; }

} // namespace

RelaxedSteps relevant_steps(const Task& task, bool may_remove) {
    const std::vector<std::uint8_t> relevant = relevant_facts(task);
    const std::vector<std::int32_t> asked = count_conditions(task);
    RelaxedSteps steps;
    Undominated operators(asked), goals(asked);
    for (std::size_t i = 0; i < task.operators().size(); ++i) {
        const Operator& op = task.operators()[i];
        for (const std::int32_t fact : op.effects) {
            const bool held = std::find(op.conditions.begin(), op.conditions.end(), fact) != op.conditions.end();
            if (relevant[at(fact)] != 0 && !held) {
                steps.effects.push(fact);
            }
        }
        const Rows::Range effects = steps.effects.open();
        if (effects.size() > 0 && (may_remove || operators.add(range(op.conditions), effects, op.cost))) {
            add(steps, op.conditions, op.cost, static_cast<std::int32_t>(i));
        } else {
            steps.effects.drop();
        }
    }
    for (const Goal& goal : task.goals()) {
        steps.effects.push(task.facts());
        if (goals.add(range(goal.conditions), steps.effects.open(), goal.cost)) {
            add(steps, goal.conditions, goal.cost, -1);
        } else {
            steps.effects.drop();
        }
    }
    return steps;
}

} // namespace beeline
