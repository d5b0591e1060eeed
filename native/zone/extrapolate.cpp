#include "zone/extrapolate.hpp"

#include "zone/dbm.hpp"

#include <cstring>

namespace beeline::zone {
namespace {

bool exceeds(Bound bound, std::int32_t constant) {
    return bound == kInfinity || constant == kNeverCompared || bound > at_most(constant);
}

// The lower bound of clock i, as a positive constant, is above `constant`: d(0, i) < (-constant, <=).
bool lies_above(Bound zero_to_clock, std::int32_t constant) {
    return constant == kNeverCompared || zero_to_clock < at_most(-constant);
}

// The bound that stands for "greater than any constant of interest" in row i.
Bound lowest(std::size_t row, std::int32_t constant) {
    if (constant == kNeverCompared) {
        return row == 0 ? kLeZero : kInfinity;
    }
    return less_than(-constant);
}

// Extra-LU; Extra-M is the case lower = upper.
void widen(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper) {
    bool changed = false;
    for (std::size_t i = 0; i < dim; ++i) {
        for (std::size_t j = 0; j < dim; ++j) {
            Bound& bound = dbm[i * dim + j];
            if (i == j || bound == kInfinity) {
                continue;
            }
            const Bound floor = lowest(i, upper[j]);
            if (i != 0 && exceeds(bound, lower[i])) {
                bound = kInfinity;
                changed = true;
            } else if (j != 0 && bound < floor) {
                bound = floor;
                changed = true;
            }
        }
    }
    if (changed) {
        close(dbm, dim);
    }
}

// Extra-LU+; Extra-M+ is the case lower = upper. Decisions look at the first row as it was, so that row goes last.
void widen_plus(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper) {
    bool changed = false;
    for (std::size_t i = 1; i < dim; ++i) {
        const bool row_above = lies_above(dbm[i], lower[i]);
        for (std::size_t j = 0; j < dim; ++j) {
            Bound& bound = dbm[i * dim + j];
            if (i == j || bound == kInfinity) {
                continue;
            }
            if (row_above || exceeds(bound, lower[i]) || (j != 0 && lies_above(dbm[j], upper[j]))) {
                bound = kInfinity;
                changed = true;
            }
        }
    }
    for (std::size_t j = 1; j < dim; ++j) {
        const Bound floor = lowest(0, upper[j]);
        if (dbm[j] < floor) {
            dbm[j] = floor;
            changed = true;
        }
    }
    if (changed) {
        close(dbm, dim);
    }
}

} // namespace

void extrapolate_m(Bound* dbm, std::size_t dim, const std::int32_t* greatest) { widen(dbm, dim, greatest, greatest); }

void extrapolate_m_plus(Bound* dbm, std::size_t dim, const std::int32_t* greatest) {
    widen_plus(dbm, dim, greatest, greatest);
}

void extrapolate_lu(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper) {
    widen(dbm, dim, lower, upper);
}

void extrapolate_lu_plus(Bound* dbm, std::size_t dim, const std::int32_t* lower, const std::int32_t* upper) {
    widen_plus(dbm, dim, lower, upper);
}

void split_diagonals(const Bound* dbm, std::size_t dim, const std::int32_t* greatest,
                     const std::vector<Diagonal>& diagonals, std::vector<Bound>& parts) {
    const std::size_t size = dim * dim;
    std::vector<Bound> pieces(dbm, dbm + size);
    std::vector<Bound> half(size);
    for (const Diagonal& diagonal : diagonals) {
        const std::size_t count = pieces.size() / size;
        for (std::size_t p = 0; p < count; ++p) {
            Bound* piece = pieces.data() + p * size;
            const Bound against = complement(diagonal.bound);
            if (piece[diagonal.x * dim + diagonal.y] <= diagonal.bound ||
                !satisfies(piece, dim, diagonal.x, diagonal.y, diagonal.bound)) {
                continue; // all on one side
            }
            half.assign(piece, piece + size);
            constrain(piece, dim, diagonal.x, diagonal.y, diagonal.bound);
            constrain(half.data(), dim, diagonal.y, diagonal.x, against);
            pieces.insert(pieces.end(), half.begin(), half.end());
        }
    }
    for (std::size_t p = 0; p < pieces.size(); p += size) {
        const Bound* piece = pieces.data() + p;
        half.assign(piece, piece + size);
        extrapolate_m(half.data(), dim, greatest);
        for (const Diagonal& diagonal : diagonals) {
            if (piece[diagonal.x * dim + diagonal.y] <= diagonal.bound) {
                constrain(half.data(), dim, diagonal.x, diagonal.y, diagonal.bound);
            } else {
                constrain(half.data(), dim, diagonal.y, diagonal.x, complement(diagonal.bound));
            }
        }
        parts.insert(parts.end(), half.begin(), half.end());
    }
}

} // namespace beeline::zone
