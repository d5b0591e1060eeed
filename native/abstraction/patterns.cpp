#include "abstraction/patterns.hpp"

#include "heuristic/estimator.hpp"

#include <algorithm>
#include <limits>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMostTargets = 64;   // of one label in one abstract state that are looked at
constexpr std::size_t kMostPatterns = 16;  // whose sums are looked for
constexpr std::int32_t kMostSteps = 10000; // of an abstract error trace

bool contains(const Pattern& pattern, std::int32_t factor) {
    return std::binary_search(pattern.begin(), pattern.end(), factor);
}

Pattern with(Pattern pattern, std::int32_t factor) {
    pattern.insert(std::lower_bound(pattern.begin(), pattern.end(), factor), factor);
    return pattern;
}

std::int64_t size_of(const FactoredTask& task, const Pattern& pattern) {
    std::int64_t size = 1;
    for (const std::int32_t factor : pattern) {
        const auto states = static_cast<std::int64_t>(task.factors()[at(factor)].values.size());
        size = size > std::numeric_limits<std::int64_t>::max() / states ? std::numeric_limits<std::int64_t>::max()
                                                                        : size * states;
    }
    return size;
}

std::vector<Pattern> causal_patterns(const FactoredTask& task, std::int64_t most) {
    const auto causes = task.causes();
    std::vector<Pattern> found;
    for (std::size_t goal = 0; goal < task.factors().size(); ++goal) {
        if (!task.is_goal_factor(goal)) {
            continue;
        }
        Pattern pattern;
        std::vector<std::int32_t> near{static_cast<std::int32_t>(goal)};
        for (std::size_t i = 0; i < near.size(); ++i) {
            const Pattern larger = with(pattern, near[i]);
            if (size_of(task, larger) > most && i > 0) {
                continue;
            }
            pattern = larger;
            for (const std::int32_t cause : causes[at(near[i])]) {
                if (std::find(near.begin(), near.end(), cause) == near.end()) {
                    near.push_back(cause);
                }
            }
        }
        if (std::find(found.begin(), found.end(), pattern) == found.end()) {
            found.push_back(std::move(pattern));
        }
    }
    return found;
}

// Follows the abstract error trace of a pattern through all factors, and notes what it asks amiss.
class TraceCheck {
public:
    TraceCheck(const FactoredTask& task, const Pattern& pattern, Abstraction& database)
        : task_(task), pattern_(pattern), database_(database), state_(task.factors().size()),
          amiss(task.factors().size(), 0) {
        for (std::size_t i = 0; i < state_.size(); ++i) {
            state_[i] = task.factors()[i].initial;
        }
    }

    void run() {
        std::int32_t distance = database_.estimate_at(task_, state_);
        for (std::int32_t steps = 0; distance > 0 && distance != kDeadEnd && steps < kMostSteps; ++steps) {
            if (!advance(distance)) {
                return;
            }
        }
        if (distance == 0) {
            finish();
        }
        for (std::size_t i = 0; distance == 0 && i < state_.size(); ++i) {
            note(static_cast<std::int32_t>(i), task_.factors()[i].goal[at(state_[i])] == 0);
        }
    }

private:
    // Takes a step that leads closer to the goal.
    bool advance(std::int32_t& distance) {
        for (const Label& label : task_.labels()) {
            targets_.clear();
            list_targets(label, 0, state_);
            for (const std::vector<std::int32_t>& target : targets_) {
                const std::int32_t after = database_.estimate_at(task_, target);
                if (after == kDeadEnd || after + label.cost > distance || (label.cost == 0 && after == distance)) {
                    continue;
                }
                take(label, target);
                distance = after;
                return true;
            }
        }
        return false;
    }

    // The last step may be free: the one that says that the goal is reached.
    void finish() {
        for (const Label& label : task_.labels()) {
            targets_.clear();
            if (label.cost == 0 && !within_goal(state_)) {
                list_targets(label, 0, state_);
            }
            const auto found =
                std::find_if(targets_.begin(), targets_.end(), [&](const auto& target) { return within_goal(target); });
            if (found != targets_.end()) {
                const std::vector<std::int32_t> target = *found;
                return take(label, target);
            }
        }
    }

    bool within_goal(const std::vector<std::int32_t>& state) const {
        return std::all_of(pattern_.begin(), pattern_.end(), [&](std::int32_t factor) {
            return task_.factors()[at(factor)].goal[at(state[at(factor)])] != 0;
        });
    }

    // Where a label leads within the pattern.
    void list_targets(const Label& label, std::size_t use, std::vector<std::int32_t> target) {
        for (; use < label.uses.size() && !contains(pattern_, label.uses[use].system); ++use) {
        }
        if (use == label.uses.size()) {
            targets_.push_back(std::move(target));
            return;
        }
        const auto [factor, relation] = label.uses[use];
        for (const Move& move : task_.factors()[at(factor)].relations[at(relation)]) {
            if (move.from == state_[at(factor)] && targets_.size() < kMostTargets) {
                target[at(factor)] = move.to;
                list_targets(label, use + 1, target);
            }
        }
    }

    void take(const Label& label, const std::vector<std::int32_t>& target) {
        for (const auto& [factor, relation] : label.uses) {
            if (contains(pattern_, factor)) {
                state_[at(factor)] = target[at(factor)];
                continue;
            }
            const Relation& moves = task_.factors()[at(factor)].relations[at(relation)];
            const auto fitting = std::find_if(moves.begin(), moves.end(),
                                              [&](const Move& move) { return move.from == state_[at(factor)]; });
            note(factor, fitting == moves.end());
            state_[at(factor)] = fitting == moves.end() ? moves.front().to : fitting->to;
        }
    }

    void note(std::int32_t factor, bool wrong) {
        if (wrong && !contains(pattern_, factor)) {
            first = first < 0 ? factor : first;
            ++amiss[at(factor)];
        }
    }

    const FactoredTask& task_;
    const Pattern& pattern_;
    Abstraction& database_;
    std::vector<std::int32_t> state_; // of all factors
    std::vector<std::vector<std::int32_t>> targets_;

public:
    std::vector<std::int32_t> amiss; // how often, by factor
    std::int32_t first = -1;
};

std::vector<Pattern> grown_pattern(const FactoredTask& task, PatternChoice choice, std::int64_t most,
                                   const PatternOptions& options, Allowance& allowance) {
    Pattern pattern;
    for (std::size_t i = 0; i < task.factors().size(); ++i) {
        const Pattern larger = with(pattern, static_cast<std::int32_t>(i));
        if (task.is_goal_factor(i) && (pattern.empty() || size_of(task, larger) <= most)) {
            pattern = larger;
        }
    }
    while (!pattern.empty() && !allowance.is_over()) {
        Abstraction database = pattern_database(task, pattern, options, allowance);
        TraceCheck check(task, pattern, database);
        check.run();
        std::int32_t next = -1;
        for (std::size_t i = 0; i < check.amiss.size(); ++i) {
            const auto factor = static_cast<std::int32_t>(i);
            if (check.amiss[i] == 0 || size_of(task, with(pattern, factor)) > most) {
                continue;
            }
            const bool better = choice == PatternChoice::kCounterexample
                                    ? factor == check.first
                                    : next < 0 || check.amiss[i] > check.amiss[at(next)];
            next = next < 0 || better ? factor : next;
        }
        if (next < 0) {
            break; // the trace is a real one, or nothing more fits
        }
        pattern = with(pattern, next);
    }
    return {pattern};
}

// Whether a step that counts changes both patterns.
bool conflict(const FactoredTask& task, const Pattern& a, const Pattern& b) {
    const auto changes = [&](const Label& label, const Pattern& pattern) {
        return std::any_of(label.uses.begin(), label.uses.end(), [&](const Use& use) {
            const Relation& moves = task.factors()[at(use.system)].relations[at(use.relation)];
            return contains(pattern, use.system) &&
                   std::any_of(moves.begin(), moves.end(), [](const Move& move) { return move.from != move.to; });
        });
    };
    return std::any_of(task.labels().begin(), task.labels().end(),
                       [&](const Label& label) { return label.cost > 0 && changes(label, a) && changes(label, b); });
}

} // namespace

std::vector<Pattern> choose_patterns(const FactoredTask& task, PatternChoice choice, std::int64_t size,
                                     const PatternOptions& options, Allowance& allowance) {
    return choice == PatternChoice::kCausal ? causal_patterns(task, size)
                                            : grown_pattern(task, choice, size, options, allowance);
}

std::vector<Pattern> small_patterns(const FactoredTask& task, std::int64_t size, std::size_t most) {
    const auto causes = task.causes();
    std::vector<Pattern> found;
    for (std::size_t goal = 0; goal < task.factors().size(); ++goal) {
        if (task.is_goal_factor(goal)) {
            found.push_back({static_cast<std::int32_t>(goal)});
        }
    }
    for (std::size_t i = 0, goals = found.size(); i < goals; ++i) {
        for (const std::int32_t cause : causes[at(found[i].front())]) {
            const Pattern pair = with(found[i], cause);
            if (size_of(task, pair) <= size && std::find(found.begin(), found.end(), pair) == found.end()) {
                found.push_back(pair);
            }
        }
    }
    found.resize(std::min(found.size(), most));
    return found;
}

Abstraction pattern_database(const FactoredTask& task, const Pattern& pattern, const PatternOptions& options,
                             Allowance& allowance) {
    AbstractionOptions exact;
    exact.states = std::numeric_limits<std::int32_t>::max();
    exact.order = MergeOrder::kDefinition;
    exact.work = options.work;
    exact.entries = options.entries;
    exact.factors = pattern;
    exact.labelled = options.labelled;
    return Abstraction(task, exact, allowance);
}

std::vector<std::vector<std::size_t>> additive_sets(const FactoredTask& task, const std::vector<Pattern>& patterns) {
    std::vector<std::vector<std::size_t>> sets;
    const std::size_t count = std::min(patterns.size(), kMostPatterns);
    std::vector<std::uint32_t> fits(count, 0); // with which others
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            fits[i] |= static_cast<std::uint32_t>(i != j && !conflict(task, patterns[i], patterns[j])) << j;
        }
    }
    for (std::uint32_t chosen = 1; chosen < (1U << count); ++chosen) {
        bool together = true, largest = true;
        for (std::size_t i = 0; i < count && together; ++i) {
            const std::uint32_t others = chosen & ~(1U << i);
            const bool all = (fits[i] & others) == others;
            together = (chosen >> i & 1U) == 0 || all;
            largest = largest && ((chosen >> i & 1U) != 0 || !all);
        }
        if (together && largest) {
            auto& set = sets.emplace_back();
            for (std::size_t i = 0; i < count; ++i) {
                if ((chosen >> i & 1U) != 0) {
                    set.push_back(i);
                }
            }
        }
    }
    for (std::size_t i = count; i < patterns.size(); ++i) {
        sets.push_back({i});
    }
    return sets;
}

} // namespace beeline
