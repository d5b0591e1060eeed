#include "zone/extrapolate.hpp"

#include "zone/dbm.hpp"

#include <algorithm>

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

namespace {

// The bounds of a diagonal that have points of a piece on both sides: first, first + 2, ..., last; none if last <
// first.
struct Straddled {
    const Diagonal* diagonal;
    Bound first, last;
};

Straddled straddled(const Bound* piece, std::size_t dim, const Diagonal& diagonal) {
    const Bound above = piece[diagonal.x * dim + diagonal.y];
    const Bound back = piece[diagonal.y * dim + diagonal.x];
    Bound first = diagonal.low, last = diagonal.high;
    if (back != kInfinity && first <= complement(back)) {
        first += (complement(back) - first) / 2 * 2 + 2;
    }
    if (above != kInfinity && last >= above) {
        last -= (last - above) / 2 * 2 + 2;
    }
    return {&diagonal, first, last};
}

// Keeps a widened piece on the side of each bound on which it was before.
void keep_sides(Bound* wide, const Bound* piece, std::size_t dim, const Diagonal& diagonal) {
    const Straddled inside = straddled(piece, dim, diagonal);
    const Bound next = std::max(inside.last + 2, diagonal.low);
    if (next <= diagonal.high && piece[diagonal.x * dim + diagonal.y] <= next) {
        constrain(wide, dim, diagonal.x, diagonal.y, next);
    }
    const Bound previous = std::min(inside.first - 2, diagonal.high);
    if (previous >= diagonal.low && !satisfies(piece, dim, diagonal.x, diagonal.y, previous)) {
        constrain(wide, dim, diagonal.y, diagonal.x, complement(previous));
    }
}

// The bound to divide a piece at: what is beyond all constants is parted from the rest first.
Bound dividing(const Bound* piece, std::size_t dim, const std::int32_t* greatest, const Straddled& inside) {
    const Diagonal& diagonal = *inside.diagonal;
    if (exceeds(piece[diagonal.x * dim + diagonal.y], greatest[diagonal.x])) {
        return inside.last;
    }
    if (exceeds(piece[diagonal.y * dim + diagonal.x], greatest[diagonal.y])) {
        return inside.first;
    }
    return inside.first + (inside.last - inside.first) / 4 * 2;
}

} // namespace

void split_diagonals(const Bound* dbm, std::size_t dim, const std::int32_t* greatest,
                     const std::vector<Diagonal>& diagonals, std::vector<Bound>& parts) {
    const std::size_t size = dim * dim;
    std::vector<Bound> pieces(dbm, dbm + size), piece(size), wide, wider;
    std::vector<std::int32_t> kept;
    std::vector<Straddled> crossed;
    while (!pieces.empty()) {
        std::copy(pieces.end() - static_cast<std::ptrdiff_t>(size), pieces.end(), piece.begin());
        pieces.resize(pieces.size() - size);
        wider = piece;
        extrapolate_m(wider.data(), dim, greatest);
        if (wider == piece) {
            parts.insert(parts.end(), piece.begin(), piece.end());
            continue;
        }
        kept.assign(greatest, greatest + dim);
        crossed.clear();
        for (const Diagonal& diagonal : diagonals) {
            const Straddled inside = straddled(piece.data(), dim, diagonal);
            if (greatest[diagonal.x] != kNeverCompared && greatest[diagonal.y] != kNeverCompared &&
                inside.first <= inside.last) {
                crossed.push_back(inside);
                kept[diagonal.x] = kept[diagonal.y] = kLargestBound;
            }
        }
        wide = piece;
        extrapolate_m(wide.data(), dim, kept.data());
        wider = wide;
        extrapolate_m(wider.data(), dim, greatest);
        if (crossed.empty() || wider == wide) {
            for (const Diagonal& diagonal : diagonals) {
                if (greatest[diagonal.x] != kNeverCompared && greatest[diagonal.y] != kNeverCompared) {
                    keep_sides(wide.data(), piece.data(), dim, diagonal);
                }
            }
            parts.insert(parts.end(), wide.begin(), wide.end());
            continue;
        }
        // One whose clocks Extra-M would still change; if it changes none of theirs by itself, any.
        const auto grows = [&](const Straddled& inside) {
            for (std::size_t j = 0; j < dim; ++j) {
                for (const std::size_t i : {std::size_t{inside.diagonal->x}, std::size_t{inside.diagonal->y}}) {
                    if (wider[i * dim + j] != wide[i * dim + j] || wider[j * dim + i] != wide[j * dim + i]) {
                        return true;
                    }
                }
            }
            return false;
        };
        const auto found = std::find_if(crossed.begin(), crossed.end(), grows);
        const Straddled& chosen = found == crossed.end() ? crossed.front() : *found;
        const Bound bound = dividing(piece.data(), dim, greatest, chosen);
        wide = piece;
        constrain(wide.data(), dim, chosen.diagonal->x, chosen.diagonal->y, bound);
        constrain(piece.data(), dim, chosen.diagonal->y, chosen.diagonal->x, complement(bound));
        pieces.insert(pieces.end(), piece.begin(), piece.end());
        pieces.insert(pieces.end(), wide.begin(), wide.end());
    }
}

} // namespace beeline::zone
