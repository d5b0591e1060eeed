// The arc with which a run comes back to where it was, in spaces whose states cover others.
#pragma once

#include "state/store.hpp"
#include "state/successors.hpp"

#include <cstddef>
#include <optional>

namespace beeline {

struct ClosingArc {
    std::size_t arc; // in the buffer
    Index met;       // the state on the way that its target covers
};

// The first arc in a buffer whose target covers a state of which `is_on_way` says that it is on the way there.
template <CoveringStateStore T, class IsOnWay>
std::optional<ClosingArc> closing_arc(const T& store, const SuccessorBuffer& buffer, IsOnWay&& is_on_way) {
    for (std::size_t i = 0; i < buffer.size(); ++i) {
        if ((buffer.arc(i).marks & kError) != 0) {
            continue;
        }
        const Index met = store.find_covered(buffer.state(i), buffer.hash(i), is_on_way);
        if (met != kNoIndex) {
            return ClosingArc{i, met};
        }
    }
    return std::nullopt;
}

} // namespace beeline
