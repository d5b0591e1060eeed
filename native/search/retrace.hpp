// The way to a state of a store that does not keep states: the arcs on the way are known by their positions, and
// followed from the initial state on.
#pragma once

#include "search/outcome.hpp"
#include "space/space.hpp"

#include <vector>

namespace beeline {

// A path in the layout of words that the space had before its last change, told in the present one.
template <Space S>
Path converted(const S& space, const Path& path) {
    Path other;
    other.words = space.words();
    std::vector<Word> state(other.words);
    for (std::size_t i = 0; i < path.size(); ++i) {
        space.convert(path.state(i), state.data());
        other.append(path.actions[i], state.data());
    }
    return other;
}

// Positions count arcs that have a target.
template <Space S>
Path follow_positions(S& space, const std::vector<std::uint32_t>& positions) {
    Path path;
    path.words = space.words();
    SuccessorBuffer arcs(space.words());
    const auto take = [&](std::uint32_t position) {
        std::size_t i = 0;
        for (; position != 0 || (arcs.arc(i).marks & kError) != 0; ++i) {
            position -= (arcs.arc(i).marks & kError) == 0;
        }
        path.append(arcs.arc(i).action, arcs.state(i));
    };
    for (const std::uint32_t position : positions) {
        arcs.clear();
        if (path.size() == 0) {
            space.initial(arcs);
        } else {
            space.expand(path.state(path.size() - 1), arcs);
        }
        take(position);
    }
    return path;
}

// Told in the layout of the space; to follow it takes the full one.
template <Space S, class T>
Path follow_arcs(S& space, const T& store, Index index) {
    const std::vector<std::uint32_t> positions = store.way_back().positions_to(index);
    if constexpr (RepackableSpace<S>) {
        const auto before = space.clone();
        before->follow(space);
        if (space.use_full_layout()) {
            const Path full = follow_positions(space, positions);
            space.follow(*before);
            return converted(space, full);
        }
    }
    return follow_positions(space, positions);
}

} // namespace beeline
