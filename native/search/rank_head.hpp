// What a rank of a distributed search tells of itself in a checkpoint, besides its states.
#pragma once

#include "search/statistics.hpp"
#include "state/store.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace beeline {

// What a rank found, so many steps from the start: a state of its own (`marks` without kError and without a target), or
// a step from there.
struct Violation {
    std::uint32_t marks;
    std::uint32_t steps;
    Index source; // kNoIndex for an initial state
    std::uint32_t action;
    std::uint32_t detail;
    std::vector<Word> target;
};

// What is known of the lines that came in.
struct Arrivals {
    std::uint64_t states = 0;
    std::uint64_t known = 0;
};

struct RankHead {
    std::uint32_t round = 0; // that is under way
    bool cut = false;        // something new lies behind a bound
    Statistics statistics;
    Arrivals arrivals;
    std::optional<Violation> violation;

    template <class Archive>
    void archive(Archive& with) {
        with(round, cut);
        statistics.archive(with);
        with(arrivals);
        bool has = violation.has_value();
        with(has);
        if (has) {
            Violation& found = Archive::kWrites ? *violation : violation.emplace();
            with(found.marks, found.steps, found.source, found.action, found.detail, found.target);
        }
    }
};

} // namespace beeline
