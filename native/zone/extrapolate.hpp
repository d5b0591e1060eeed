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

// Guards on a clock difference: x - y within each of the bounds low, low + 2, ..., high, which are all strict or all
// weak. Neither is clock 0.
struct Diagonal {
    std::uint32_t x;
    std::uint32_t y;
    Bound low;
    Bound high;
};

// Parts of the zone, appended to `parts`, each widened by Extra-M so far that no diagonal can tell its points from
// those that it had before (Bengtsson and Yi, "On Clock Difference Constraints and Termination in Reachability Analysis
// of Timed Automata", 2003). A zone that Extra-M would not change is left whole, and clocks of diagonals that a part
// lies on both sides of are left alone, since regions without a greatest constant tell all differences; a part is
// divided only where bounds of such clocks would grow for ever. `greatest` must cover the diagonals' constants too;
// diagonals of a clock that is not compared from here on do not count. Parts may overlap.
void split_diagonals(const Bound* dbm, std::size_t dim, const std::int32_t* greatest,
                     const std::vector<Diagonal>& diagonals, std::vector<Bound>& parts);

} // namespace beeline::zone
