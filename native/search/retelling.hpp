// Paths of spaces whose states stand for those of another one, told in the other's terms.
#pragma once

#include "search/outcome.hpp"
#include "space/lasso_space.hpp"
#include "space/pair_space.hpp"

namespace beeline {

template <Space S>
void retell(S&, Outcome&) {}

// A path that comes back to its seed is a lasso, whose cycle begins where the seed was chosen.
template <Space S>
void retell(PairSpace<S>& space, Outcome& outcome) {
    Path told;
    told.words = space.inner().words();
    for (std::size_t i = 0; i < outcome.path.size(); ++i) {
        const Word* state = outcome.path.state(i);
        told.append(outcome.path.actions[i], space.current(state));
        if (space.phase(state) == kPairClosed) {
            outcome.found = kCycle;
        } else if (space.phase(state) == kPairBefore) {
            outcome.cycle = static_cast<std::int64_t>(i);
        }
    }
    if (outcome.found != kCycle) {
        outcome.cycle = -1;
    }
    outcome.path = std::move(told);
}

// A run that goes round, or comes to rest: then its cycle begins, and ends, in the last state.
template <Space S>
void retell(LassoSpace<S>& space, Outcome& outcome) {
    Path told;
    told.words = space.inner().words();
    for (std::size_t i = 0; i < outcome.path.size(); ++i) {
        const Word* state = outcome.path.state(i);
        told.append(outcome.path.actions[i], space.current(state));
        if (space.phase(state) == LassoSpace<S>::kBefore) {
            outcome.cycle = static_cast<std::int64_t>(i);
        }
    }
    const bool closed =
        outcome.path.size() > 0 && space.phase(outcome.path.state(outcome.path.size() - 1)) == LassoSpace<S>::kClosed;
    if (closed || (outcome.found & kDeadlock) != 0) {
        outcome.found = kCycle;
    } else {
        outcome.cycle = -1;
    }
    outcome.path = std::move(told);
}

} // namespace beeline
