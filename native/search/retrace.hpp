// The way to a state of a store that does not keep states: the arcs on the way are known by their positions, and
// followed from the initial state on.
#pragma once

#include "search/outcome.hpp"
#include "space/space.hpp"

#include <vector>

namespace beeline {

// A store that knows the arcs of its breadth-first tree.
template <class T>
inline constexpr bool keeps_arcs = requires(const T& store) { store.way_back(); };

template <Space S, class T>
Path follow_arcs(S& space, const T& store, Index index) {
    Path path;
    path.words = store.words();
    SuccessorBuffer arcs(store.words());
    // Positions count arcs that have a target.
    const auto take = [&](std::uint32_t position) {
        std::size_t i = 0;
        for (; position != 0 || (arcs.arc(i).marks & kError) != 0; ++i) {
            position -= (arcs.arc(i).marks & kError) == 0;
        }
        path.append(arcs.arc(i).action, arcs.state(i));
    };
    for (const std::uint32_t position : store.way_back().positions_to(index)) {
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

} // namespace beeline
