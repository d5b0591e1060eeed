#include "abstraction/cartesian.hpp"

#include "abstraction/cartesian_distances.hpp"

#include <algorithm>
#include <optional>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Where an abstract trace fails, and what its state would have to be for it not to.
struct Flaw {
    std::int32_t state, factor;
    std::vector<SetWord> wanted;
};

class Refinement {
public:
    Refinement(const FactoredTask& task, const CartesianAim& aim, SplitChoice choice)
        : task_(task), aim_(aim), choice_(choice), states(task, aim), distances(task, states) {
        for (const Factor& factor : task.factors()) {
            initial_.push_back(factor.initial);
        }
        begin_ = states.tree().find_at(initial_);
    }

    // False if there is nothing to split: the trace is a real one, or the goal is proved to be out of reach.
    bool refine() {
        const std::optional<Flaw> flaw = find_flaw();
        if (!flaw) {
            return false;
        }
        const std::int32_t made = states.split(flaw->state, flaw->factor, flaw->wanted);
        distances.follow_split(flaw->state, made);
        if (flaw->state == begin_ && has(states.set(made, flaw->factor), initial_[at(flaw->factor)])) {
            begin_ = made;
        }
        return true;
    }

    bool is_hopeless() const { return distances.cost(begin_) == kUnreachable; }
    std::size_t work() const { return states.work() + distances.work() + work_; }

private:
    // Follows the abstract trace with a state of the task.
    std::optional<Flaw> find_flaw() {
        std::int32_t state = begin_;
        std::vector<std::int32_t> real = initial_;
        if (distances.cost(state) == kUnreachable) {
            return std::nullopt;
        }
        while (!states.is_goal(state)) {
            const auto [label, target] = distances.next(state);
            if (std::optional<Flaw> flaw = take(state, label, target, real)) {
                return flaw;
            }
            state = target;
        }
        return aim_.outside ? std::nullopt : goal_flaw(state, real);
    }

    std::optional<Flaw> take(std::int32_t state, std::int32_t label, std::int32_t target,
                             std::vector<std::int32_t>& real) {
        std::int32_t worst = -1;
        std::vector<std::int32_t> after = real;
        for (std::size_t i = 0; i < real.size(); ++i) {
            const auto factor = static_cast<std::int32_t>(i);
            const std::int32_t relation = states.relations().relation(label, factor);
            after[i] = states.relations().target(factor, relation, real[i], states.set(target, factor));
            worst = after[i] < 0 ? chosen(state, worst, factor) : worst;
        }
        work_ += real.size();
        if (worst < 0) {
            real = std::move(after);
            return std::nullopt;
        }
        Flaw flaw{state, worst, std::vector<SetWord>(states.relations().words(at(worst)))};
        states.relations().origins(worst, states.relations().relation(label, worst), states.set(state, worst),
                                   states.set(target, worst), flaw.wanted);
        return flaw;
    }

    std::optional<Flaw> goal_flaw(std::int32_t state, const std::vector<std::int32_t>& real) {
        std::int32_t worst = -1;
        for (std::size_t i = 0; i < real.size(); ++i) {
            if (aim_.sets[i][at(real[i])] == 0) {
                worst = chosen(state, worst, static_cast<std::int32_t>(i));
            }
        }
        if (worst < 0) {
            return std::nullopt;
        }
        Flaw flaw{state, worst, std::vector<SetWord>(states.relations().words(at(worst)))};
        for (std::size_t value = 0; value < aim_.sets[at(worst)].size(); ++value) {
            const auto one = static_cast<std::int32_t>(value);
            if (aim_.sets[at(worst)][value] != 0 && has(states.set(state, worst), one)) {
                put(flaw.wanted, one);
            }
        }
        return flaw;
    }

    // Of two factors that fail in a state the one to split.
    std::int32_t chosen(std::int32_t state, std::int32_t before, std::int32_t factor) const {
        if (before < 0) {
            return factor;
        }
        if (choice_ == SplitChoice::kFirst) {
            return before;
        }
        // Shares of a factor's states, compared without a division.
        const auto share = [&](std::int32_t one, std::int32_t other) {
            return std::int64_t{count(states.set(state, one))} *
                   static_cast<std::int64_t>(task_.factors()[at(other)].values.size());
        };
        const bool smaller = share(factor, before) < share(before, factor);
        const bool larger = share(factor, before) > share(before, factor);
        return (choice_ == SplitChoice::kRefined ? smaller : larger) ? factor : before;
    }

    const FactoredTask& task_;
    const CartesianAim& aim_;
    SplitChoice choice_;
    std::vector<std::int32_t> initial_; // by factor
    std::int32_t begin_ = 0;            // its abstract state
    std::size_t work_ = 0;

public:
    CartesianStates states;
    CartesianDistances distances;
};

} // namespace

CartesianAim aim_of(const FactoredTask& task) {
    CartesianAim aim;
    for (const Factor& factor : task.factors()) {
        aim.sets.push_back(factor.goal);
    }
    return aim;
}

CartesianAbstraction::CartesianAbstraction(const FactoredTask& task, const CartesianAim& aim,
                                           const CartesianOptions& options, Allowance& allowance)
    : hopeless_(task.is_hopeless()), tree_(task, RelationSets(task)) {
    if (hopeless_) {
        return;
    }
    Refinement refinement(task, aim, options.choice);
    const auto has_room = [&] {
        return refinement.states.count() < options.states && refinement.states.steps() < options.steps &&
               refinement.work() < options.work;
    };
    while (has_room() && !exact_ && !late_) {
        exact_ = !refinement.refine();
        late_ = !exact_ && allowance.is_over();
    }
    cut_ = !exact_ && !late_;
    for (std::int32_t state = 0; state < refinement.states.count(); ++state) {
        distances_.push_back(refinement.distances.cost(state));
    }
    steps_ = refinement.states.steps();
    work_ = refinement.work();
    if (options.labelled) {
        system_ = refinement.states.system();
    }
    hopeless_ = exact_ && refinement.is_hopeless();
    tree_ = refinement.states.take_tree();
}

std::int32_t CartesianAbstraction::estimate(const Word* words) const {
    if (hopeless_) {
        return kDeadEnd;
    }
    const std::int32_t state = tree_.find(words);
    return state == kNoState ? 0 : distances_[at(state)];
}

} // namespace beeline
