// Paths of spaces whose states stand for those of another one, told in the other's terms.
#pragma once

#include "search/outcome.hpp"
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

} // namespace beeline
