#include "abstraction/subtasks.hpp"

#include <algorithm>
#include <set>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Value {
    std::int32_t factor, state;
    auto operator<=>(const Value&) const = default;
};

using Set = std::vector<SetWord>;

// Which values can be met if none is ever lost, and for each when it was first, and by which label.
class Meeting {
public:
    Meeting(const FactoredTask& task, const RelationSets& relations) : task_(task), relations_(relations) {}

    // `without` is a value that is never met; factor -1 for none.
    void run(Value without) {
        for (std::size_t i = 0; i < task_.factors().size(); ++i) {
            met.emplace_back(relations_.words(i), 0);
            put(met[i], task_.factors()[i].initial);
            when_.emplace_back(task_.factors()[i].values.size(), 0);
            by_.emplace_back(task_.factors()[i].values.size(), -1);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t label = 0; label < task_.labels().size(); ++label) {
                changed |= take(static_cast<std::int32_t>(label), without);
            }
        }
    }

    bool meets_goal() const {
        for (std::size_t i = 0; i < met.size(); ++i) {
            if (!meet(met[i], goal(i))) {
                return false;
            }
        }
        return true;
    }

    // The values on one way to the goal: whatever every way passes is one of them.
    std::set<Value> way() const {
        std::set<Value> found;
        std::vector<Value> open;
        const auto need = [&](std::int32_t factor, const Set& some) {
            const Value value = earliest(factor, some);
            if (by_[at(value.factor)][at(value.state)] >= 0 && found.insert(value).second) {
                open.push_back(value);
            }
        };
        for (std::size_t i = 0; i < met.size(); ++i) {
            need(static_cast<std::int32_t>(i), goal(i));
        }
        while (!open.empty()) {
            const Value value = open.back();
            open.pop_back();
            for (const Use& use : task_.labels()[at(by_[at(value.factor)][at(value.state)])].uses) {
                Set to = met[at(use.system)];
                if (use.system == value.factor) {
                    std::fill(to.begin(), to.end(), 0);
                    put(to, value.state);
                }
                Set from(to.size());
                relations_.origins(use.system, use.relation, met[at(use.system)], to, from);
                need(use.system, from);
            }
        }
        return found;
    }

    std::vector<Set> met; // by factor

private:
    bool take(std::int32_t label, Value without) {
        std::vector<Set> reached;
        for (const Use& use : relations_.uses(label)) {
            Set& to = reached.emplace_back(relations_.words(at(use.system)));
            relations_.targets(use.system, use.relation, met[at(use.system)], to);
            if (is_empty(to)) {
                return false; // not possible yet
            }
        }
        bool changed = false;
        ++clock_;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const std::int32_t factor = relations_.uses(label)[i].system;
            for (std::size_t word = 0; word < reached[i].size(); ++word) {
                reached[i][word] &= ~met[at(factor)][word];
            }
            for (std::int32_t state = first(reached[i]); state >= 0; state = first(reached[i])) {
                reached[i][at(state) / 64] &= reached[i][at(state) / 64] - 1;
                if (Value{factor, state} == without) {
                    continue;
                }
                put(met[at(factor)], state);
                when_[at(factor)][at(state)] = clock_;
                by_[at(factor)][at(state)] = label;
                changed = true;
            }
        }
        return changed;
    }

    Set goal(std::size_t factor) const {
        Set set(relations_.words(factor), 0);
        for (std::size_t state = 0; state < task_.factors()[factor].goal.size(); ++state) {
            if (task_.factors()[factor].goal[state] != 0) {
                put(set, static_cast<std::int32_t>(state));
            }
        }
        return set;
    }

    // Of those in a set that were met.
    Value earliest(std::int32_t factor, const Set& some) const {
        Value best{factor, -1};
        for (std::size_t i = 0; i < when_[at(factor)].size(); ++i) {
            const auto state = static_cast<std::int32_t>(i);
            if (has(some, state) && has(met[at(factor)], state) &&
                (best.state < 0 || when_[at(factor)][i] < when_[at(factor)][at(best.state)])) {
                best.state = state;
            }
        }
        return best;
    }

    const FactoredTask& task_;
    const RelationSets& relations_;
    std::vector<std::vector<std::int32_t>> when_, by_; // by factor and state: a time, a label
    std::int32_t clock_ = 0;
};

} // namespace

std::vector<CartesianAim> goal_aims(const FactoredTask& task) {
    std::vector<CartesianAim> aims;
    for (std::size_t goal = 0; goal < task.factors().size(); ++goal) {
        if (!task.is_goal_factor(goal)) {
            continue;
        }
        CartesianAim& aim = aims.emplace_back();
        for (std::size_t i = 0; i < task.factors().size(); ++i) {
            aim.sets.push_back(i == goal ? task.factors()[i].goal
                                         : std::vector<std::uint8_t>(task.factors()[i].values.size(), 1));
        }
    }
    return aims;
}

std::vector<CartesianAim> landmark_aims(const FactoredTask& task, Allowance& allowance) {
    std::vector<CartesianAim> aims;
    const RelationSets relations(task);
    Meeting all(task, relations);
    all.run({-1, -1});
    if (!all.meets_goal()) {
        return aims; // out of reach: there is no way that could pass anything
    }
    for (const Value& value : all.way()) {
        if (allowance.is_over()) {
            break;
        }
        Meeting others(task, relations);
        others.run(value);
        if (others.meets_goal()) {
            continue;
        }
        CartesianAim& aim = aims.emplace_back();
        aim.outside = true;
        for (std::size_t i = 0; i < others.met.size(); ++i) {
            auto& set = aim.sets.emplace_back();
            for (std::size_t state = 0; state < task.factors()[i].values.size(); ++state) {
                set.push_back(has(others.met[i], static_cast<std::int32_t>(state)) ? 1 : 0);
            }
        }
    }
    return aims;
}

} // namespace beeline
