#include "abstraction/random_states.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr int kTries = 50; // of labels, before all are looked at

// The moves that begin in a state.
std::pair<Relation::const_iterator, Relation::const_iterator> moves_from(const Relation& moves, std::int32_t state) {
    const auto begin = std::lower_bound(moves.begin(), moves.end(), Move{state, 0});
    return {begin, std::lower_bound(begin, moves.end(), Move{state + 1, 0})};
}

} // namespace

std::vector<std::int32_t> RandomWalks::walk(std::int32_t length) {
    std::vector<std::int32_t> state;
    for (const Factor& factor : task_.factors()) {
        state.push_back(factor.initial);
    }
    std::int32_t steps = 0;
    for (std::int32_t i = 0; i < length; ++i) {
        steps += static_cast<std::int32_t>(below(2));
    }
    while (steps-- > 0 && step(state)) {
    }
    return state;
}

bool RandomWalks::step(std::vector<std::int32_t>& state) {
    const std::vector<Label>& labels = task_.labels();
    for (int i = 0; i < kTries && !labels.empty(); ++i) {
        if (take(labels[below(labels.size())], state)) {
            return true;
        }
    }
    std::vector<const Label*> possible;
    for (const Label& label : labels) {
        if (is_possible(label, state)) {
            possible.push_back(&label);
        }
    }
    return !possible.empty() && take(*possible[below(possible.size())], state);
}

bool RandomWalks::is_possible(const Label& label, const std::vector<std::int32_t>& state) const {
    return std::all_of(label.uses.begin(), label.uses.end(), [&](const Use& use) {
        const Relation& moves = task_.factors()[at(use.system)].relations[at(use.relation)];
        const auto [begin, end] = moves_from(moves, state[at(use.system)]);
        return begin != end;
    });
}

bool RandomWalks::take(const Label& label, std::vector<std::int32_t>& state) {
    if (!is_possible(label, state)) {
        return false;
    }
    for (const Use& use : label.uses) {
        const Relation& moves = task_.factors()[at(use.system)].relations[at(use.relation)];
        const auto [begin, end] = moves_from(moves, state[at(use.system)]);
        state[at(use.system)] = (begin + static_cast<std::ptrdiff_t>(below(static_cast<std::size_t>(end - begin))))->to;
    }
    return true;
}

} // namespace beeline
