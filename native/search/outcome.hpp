// How a search ended, with the path to what it found.
#pragma once

#include "search/statistics.hpp"
#include "space/space.hpp"
#include "state/store.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace beeline {

// The states from an initial one on, flat, each with the action that led to it (the initial state's own is the one
// that the space gave it, 0).
struct Path {
    std::size_t words = 0;
    std::vector<std::uint32_t> actions;
    std::vector<Word> states;

    std::size_t size() const { return actions.size(); }
    const Word* state(std::size_t i) const { return states.data() + i * words; }
    void append(std::uint32_t action, const Word* state) {
        actions.push_back(action);
        states.insert(states.end(), state, state + words);
    }
};

// The steps of a path to something with these marks: a step that fails has no state after it.
inline std::uint32_t length_of(const Path& path, std::uint32_t found) {
    const std::size_t states = path.size() + ((found & kError) != 0);
    return static_cast<std::uint32_t>(states > 0 ? states - 1 : 0);
}

struct Outcome {
    Status status = Status::kRunning;
    std::uint32_t found = kNone; // the marks that ended the search
    Path path;
    // For an error arc, which has no target state: the step that failed, and the space's word for what went wrong.
    std::uint32_t error_action = 0;
    std::uint32_t error_detail = 0;
    // The position in the path of the state that its last state equals, if the run goes round from there; or -1.
    std::int64_t cycle = -1;
    std::size_t since = 0;     // the position of the state from which on something is promised that never comes
    bool truncated = false;    // a limit or an interrupt came before all was done for a shorter path
    bool proven = false;       // no path is shorter, if the heuristic that the search was given never says too much
    std::uint32_t threads = 1; // that searched
    std::uint32_t raced = 0;   // searches that did so side by side, each its own way; 0: there was no race
    std::string winner;        // the one among them that was first to know the answer
    std::size_t words = 0;     // of a state, as the store kept it at the end
    double omission = 0;       // the probability that the store took a new state for a known one
    Statistics statistics;
    std::vector<Sample> history;
};

template <StateStore T>
Path path_to(const T& store, Index index) {
    std::vector<Index> chain;
    for (; index != kNoIndex; index = store.parent(index)) {
        chain.push_back(index);
    }
    Path path;
    path.words = store.words();
    path.actions.reserve(chain.size() + 1);
    path.states.reserve((chain.size() + 1) * path.words);
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        path.append(store.action(*step), store.state(*step));
    }
    return path;
}

} // namespace beeline
