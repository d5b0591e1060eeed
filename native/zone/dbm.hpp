// Zones as difference-bound matrices (Dill, 1989): entry (i, j) bounds clock i minus clock j; clock 0 is always zero.
//
// A matrix is `dim * dim` bounds in row order at a place that the caller owns. It is *tight* if no entry can be derived
// smaller from others; a tight matrix is the only one for its zone. Unless said otherwise operations need a tight
// matrix of a non-empty zone whose clocks are not negative, and leave one. Where an operation answers whether the zone
// is non-empty, the matrix is of no use after "false".
#pragma once

#include "zone/bound.hpp"

#include <cstddef>
#include <cstdint>

namespace beeline::zone {

// The zone of the one point where every clock is zero.
void set_zero(Bound* dbm, std::size_t dim);
// The zone of all points.
void set_universe(Bound* dbm, std::size_t dim);

// Makes any matrix tight (Floyd and Warshall); false if its zone is empty.
bool close(Bound* dbm, std::size_t dim);
// Makes a matrix tight that was so before entry (x, y) was made smaller; in quadratic time. False if empty.
bool close_after(Bound* dbm, std::size_t dim, std::size_t x, std::size_t y);
bool is_tight(const Bound* dbm, std::size_t dim);

// Whether some point of the zone has x - y within `bound`.
inline bool satisfies(const Bound* dbm, std::size_t dim, std::size_t x, std::size_t y, Bound bound) {
    const Bound back = dbm[y * dim + x];
    return back == kInfinity || bound == kInfinity || add_finite(back, bound) >= kLeZero;
}
// Cuts the zone to x - y within `bound`; false if nothing is left.
inline bool constrain(Bound* dbm, std::size_t dim, std::size_t x, std::size_t y, Bound bound) {
    if (dbm[x * dim + y] <= bound) {
        return true;
    }
    if (!satisfies(dbm, dim, x, y, bound)) {
        return false;
    }
    dbm[x * dim + y] = bound;
    return close_after(dbm, dim, x, y);
}

// Lets time pass without limit.
void up(Bound* dbm, std::size_t dim);
// Lets time pass without limit where only some clocks run (`running` by clock, clock 0 stands still): the smallest zone
// that includes all points that come about, which need not be one themselves (Cassez and Larsen, "The Impressive Power
// of Stopwatches", 2000).
void up_running(Bound* dbm, std::size_t dim, const std::uint8_t* running);
// Points of a zone `within` that is closed under time from which `dbm` is reached by letting time pass where only some
// clocks run: all of them, unless guards compare running clocks with standing ones; then some may be missing. False if
// there are none.
bool down_running(Bound* dbm, std::size_t dim, const std::uint8_t* running, const Bound* within);
// All points from which the zone is reached by letting time pass.
void down(Bound* dbm, std::size_t dim);
// Sets clock x to a value that is not negative.
void reset(Bound* dbm, std::size_t dim, std::size_t x, std::int32_t value);
// Forgets what is known of clock x.
void free_clock(Bound* dbm, std::size_t dim, std::size_t x);
// Sets clock x to the value of clock y.
void copy_clock(Bound* dbm, std::size_t dim, std::size_t x, std::size_t y);

// Cuts `dbm` to its common part with `other`, which need not be tight; false if there is none.
bool intersect(Bound* dbm, const Bound* other, std::size_t dim);
// Whether every point of `inner` is in `outer`. `outer` need not be tight.
inline bool includes(const Bound* outer, const Bound* inner, std::size_t dim) {
    for (std::size_t row = 0; row < dim * dim; row += dim) { // whole rows, so that they can be compared at once
        Bound worst = 0;
        for (std::size_t j = row; j < row + dim; ++j) {
            worst |= outer[j] < inner[j];
        }
        if (worst != 0) {
            return false;
        }
    }
    return true;
}
// Makes `dbm` the smallest zone that includes it and `other`.
void widen_to(Bound* dbm, const Bound* other, std::size_t dim);
bool equal(const Bound* a, const Bound* b, std::size_t dim);
// Whether the zones have a common point.
bool meet(const Bound* a, const Bound* b, std::size_t dim);

} // namespace beeline::zone
