// Extrapolations: coarser zones that reach the same locations, so that there are finitely many.
//
// Each widens a zone to one that the given constants cannot tell apart from it (Behrmann, Bouyer, Larsen, Pelánek,
// "Lower and Upper Bounds in Zone-Based Abstractions of Timed Automata", 2006). The constants are per clock, entry 0
// for the reference clock being 0; `kNeverCompared` for a clock that is not compared from here on. They are only
// right for models without guards on clock differences; see `split_diagonals`.
#pragma once

#include "zone/bound.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace beeline::zone {

inline constexpr std::int32_t kNeverCompared = std::numeric_limits<std::int32_t>::min();

// What is read of a clock before it is reset: the greatest constant it is compared with.
void extrapolate_m(Bound* dbm, std::size_t dim, const std::int32_t* greatest);
void extrapolate_m_plus(Bound* dbm, std::size_t dim, const std::int32_t* greatest);
// The same with lower-bound guards (x > c, x >= c) and upper-bound guards (x < c, x <= c) told apart.
void extrapolate_lu(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper);
void extrapolate_lu_plus(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper);

// A guard on a clock difference: x - y within `bound`, neither of them clock 0.
struct Diagonal {
    std::uint32_t x;
    std::uint32_t y;
    Bound bound;
};

// Parts of the zone, appended to `parts`, on each of which every diagonal is either true or false, and each widened by
// Extra-M without losing that (Bengtsson and Yi, "On Clock Difference Constraints and Termination in Reachability
// Analysis of Timed Automata", 2003). `greatest` must cover the diagonals' constants too. Parts may overlap.
void split_diagonals(const Bound* dbm, std::size_t dim, const std::int32_t* greatest,
                     const std::vector<Diagonal>& diagonals, std::vector<Bound>& parts);

} // namespace beeline::zone
