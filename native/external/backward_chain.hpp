// The way to a state on disk, found from its end: some state of the depth before has an arc to it, and so on.
#pragma once

#include "external/file_levels.hpp"
#include "external/sorted_file.hpp"
#include "search/run.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace beeline {

// The first arc of a buffer to this state.
inline std::optional<std::uint32_t> action_to(const SuccessorBuffer& arcs, const std::vector<Word>& state) {
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        if ((arcs.arc(i).marks & kError) == 0 && std::equal(state.begin(), state.end(), arcs.state(i))) {
            return arcs.arc(i).action;
        }
    }
    return std::nullopt;
}

// Replaces `state`, which lies at `depth`, by one before it. The action between them, or nothing if `going` says so.
template <Space S>
std::optional<std::uint32_t> step_back(S& space, const std::vector<const SortedFile*>& files, std::vector<Word>& state,
                                       std::uint32_t depth, const KeepsGoing& going) {
    SuccessorBuffer arcs(space.words());
    for (const SortedFile* file : files) {
        if (depth - 1 < file->least_tag() || depth - 1 > file->greatest_tag()) {
            continue;
        }
        SortedReader reader(*file);
        while (reader.next()) {
            if (reader.tag() == depth - 1) {
                arcs.clear();
                space.expand(reader.state(), arcs);
                if (const auto action = action_to(arcs, state)) {
                    state.assign(reader.state(), reader.state() + space.words());
                    return action;
                }
            }
            if (!going()) {
                return std::nullopt;
            }
        }
    }
    return std::nullopt;
}

// The last steps of a way, the last one first: the action of each, and the state to which it leads.
using StepsBack = std::vector<std::pair<std::uint32_t, std::vector<Word>>>;

// The `depth` steps to `state`, which becomes the state before them; `files` hold states with their depths. Nothing if
// the run ended before that.
template <Space S>
std::optional<StepsBack> steps_back(S& space, const std::vector<const SortedFile*>& files, std::vector<Word>& state,
                                    std::uint32_t depth, const KeepsGoing& going) {
    StepsBack back;
    for (; depth > 0; --depth) {
        std::vector<Word> reached = state;
        const auto action = step_back(space, files, state, depth, going);
        if (!action) {
            return std::nullopt;
        }
        back.emplace_back(*action, std::move(reached));
    }
    return back;
}

inline void append(Path& path, const StepsBack& back) {
    for (auto step = back.rbegin(); step != back.rend(); ++step) {
        path.append(step->first, step->second.data());
    }
}

// Writes the path to `state`, which lies at `depth`, into the outcome; `files` hold all expanded states with their
// depths. False if the run ended before that.
template <Space S, StateStore T>
bool chain_back(Run<S, T>& run, const std::vector<const SortedFile*>& files, std::vector<Word> state,
                std::uint32_t depth, const KeepsGoing& going) {
    const auto back = steps_back(run.space, files, state, depth, going);
    if (!back) {
        return false;
    }
    SuccessorBuffer arcs(run.space.words());
    run.space.initial(arcs);
    run.outcome().path.append(action_to(arcs, state).value_or(0), state.data());
    append(run.outcome().path, *back);
    return true;
}

} // namespace beeline
