#include "zone/dbm.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace beeline::zone {
namespace {

// Row `i` made tight against paths that go over row `k` first.
inline void relax_row(Bound* row_i, const Bound* row_k, Bound to_k, std::size_t dim) {
    for (std::size_t j = 0; j < dim; ++j) {
        const Bound over = row_k[j] == kInfinity ? kInfinity : add_finite(to_k, row_k[j]);
        row_i[j] = over < row_i[j] ? over : row_i[j];
    }
}

constexpr bool is_infinite(Bound bound) { return bound == kInfinity; }

// Row `k` bounds nothing, as that of a clock whose value does not matter: no path goes over it.
inline bool leads_nowhere(const Bound* row_k, std::size_t k, std::size_t dim) {
    return std::all_of(row_k, row_k + k, is_infinite) && std::all_of(row_k + k + 1, row_k + dim, is_infinite);
}

} // namespace

void set_zero(Bound* dbm, std::size_t dim) { std::fill(dbm, dbm + dim * dim, kLeZero); }

void set_universe(Bound* dbm, std::size_t dim) {
    std::fill(dbm, dbm + dim * dim, kInfinity);
    for (std::size_t i = 0; i < dim; ++i) {
        dbm[i] = kLeZero;
        dbm[i * dim + i] = kLeZero;
    }
}

bool close(Bound* dbm, std::size_t dim) {
    for (std::size_t k = 0; k < dim; ++k) {
        const Bound* row_k = dbm + k * dim;
        if (leads_nowhere(row_k, k, dim)) {
            continue;
        }
        for (std::size_t i = 0; i < dim; ++i) {
            const Bound to_k = dbm[i * dim + k];
            if (i != k && to_k != kInfinity) {
                relax_row(dbm + i * dim, row_k, to_k, dim);
                if (dbm[i * dim + i] < kLeZero) {
                    return false;
                }
            }
        }
    }
    return dbm[0] >= kLeZero;
}

// Every new shortest path goes over the edge (x, y): from i to x, over it, from y to j.
bool close_after(Bound* dbm, std::size_t dim, std::size_t x, std::size_t y) {
    const Bound edge = dbm[x * dim + y];
    const Bound back = dbm[y * dim + x];
    if (back != kInfinity && add_finite(edge, back) < kLeZero) {
        return false;
    }
    Bound* row_x = dbm + x * dim;
    const Bound* row_y = dbm + y * dim;
    relax_row(row_x, row_y, edge, dim);
    for (std::size_t i = 0; i < dim; ++i) {
        if (i == x) {
            continue;
        }
        const Bound to_x = dbm[i * dim + x];
        if (to_x == kInfinity) {
            continue;
        }
        const Bound to_y = add_finite(to_x, edge);
        if (to_y < dbm[i * dim + y]) { // otherwise the way over the edge is no shorter for any j
            relax_row(dbm + i * dim, row_y, to_y, dim);
        }
    }
    return true;
}

bool is_tight(const Bound* dbm, std::size_t dim) {
    for (std::size_t i = 0; i < dim; ++i) {
        if (dbm[i * dim + i] != kLeZero) {
            return false;
        }
        for (std::size_t k = 0; k < dim; ++k) {
            for (std::size_t j = 0; j < dim; ++j) {
                if (add(dbm[i * dim + k], dbm[k * dim + j]) < dbm[i * dim + j]) {
                    return false;
                }
            }
        }
    }
    return true;
}

void up(Bound* dbm, std::size_t dim) {
    for (std::size_t i = 1; i < dim; ++i) {
        dbm[i * dim] = kInfinity;
    }
}

// A running clock gets away from standing ones; from them no bound leads back, so that the matrix stays tight.
void up_running(Bound* dbm, std::size_t dim, const std::uint8_t* running) {
    for (std::size_t i = 1; i < dim; ++i) {
        for (std::size_t j = 0; running[i] != 0 && j < dim; ++j) {
            if (j == 0 || running[j] == 0) {
                dbm[i * dim + j] = kInfinity;
            }
        }
    }
}

// A point v arrives after a delay d if every bound holds of v with d added to the running clocks. Bounds between two
// running or two standing clocks do not change; the others bound d from below or above, and a delay between them exists
// if each lower one is within each upper one (Fourier and Motzkin). That is a bound on a difference of clocks where the
// two share a clock. Otherwise the lower one is asked to hold without delay, which is more than needed.
bool down_running(Bound* dbm, std::size_t dim, const std::uint8_t* running, const Bound* within) {
    struct Side {
        std::size_t moving, standing;
        Bound bound;
    };
    const auto runs = [&](std::size_t clock) { return clock != 0 && running[clock] != 0; };
    const auto follows = [&](std::size_t i, std::size_t j) { // from the two clocks' own bounds
        return i != 0 && j != 0 && add(dbm[i * dim], dbm[j]) <= dbm[i * dim + j];
    };
    std::vector<Bound> past(dim * dim);
    set_universe(past.data(), dim);
    const auto ask = [&](std::size_t i, std::size_t j, Bound bound) {
        past[i * dim + j] = std::min(past[i * dim + j], bound);
    };
    std::vector<Side> lower, upper;
    for (std::size_t i = 0; i < dim; ++i) {
        for (std::size_t j = 0; j < dim; ++j) {
            const Bound bound = dbm[i * dim + j];
            if (i == j || bound == kInfinity) {
                continue;
            }
            if (runs(i) == runs(j)) {
                ask(i, j, bound);
            } else if (!follows(i, j) && runs(i)) {
                upper.push_back({i, j, bound});
                ask(i, j, bound);
            } else if (!follows(i, j) && within[i * dim + j] > bound) {
                lower.push_back({j, i, bound}); // otherwise it holds from now on
            }
        }
    }
    for (const Side& low : lower) {
        for (const Side& high : upper) {
            const Bound sum = add_finite(low.bound, high.bound);
            if (low.moving == high.moving && low.standing != high.standing) {
                ask(low.standing, high.standing, sum);
            } else if (low.standing == high.standing && low.moving != high.moving) {
                ask(high.moving, low.moving, sum);
            } else if (low.standing != high.standing) {
                ask(low.standing, low.moving, low.bound);
            }
        }
    }
    std::copy(past.begin(), past.end(), dbm);
    return close(dbm, dim);
}

void down(Bound* dbm, std::size_t dim) {
    for (std::size_t j = 1; j < dim; ++j) {
        Bound lower = kLeZero; // a clock can go back to zero unless another one is ahead of it
        for (std::size_t i = 1; i < dim; ++i) {
            lower = std::min(lower, dbm[i * dim + j]);
        }
        dbm[j] = lower;
    }
}

void reset(Bound* dbm, std::size_t dim, std::size_t x, std::int32_t value) {
    const Bound above = at_most(value);
    const Bound below = at_most(-value);
    for (std::size_t i = 0; i < dim; ++i) {
        dbm[x * dim + i] = add(above, dbm[i]);
        dbm[i * dim + x] = add(dbm[i * dim], below);
    }
    dbm[x * dim + x] = kLeZero;
}

void free_clock(Bound* dbm, std::size_t dim, std::size_t x) {
    for (std::size_t i = 0; i < dim; ++i) {
        dbm[x * dim + i] = kInfinity;
        dbm[i * dim + x] = dbm[i * dim];
    }
    dbm[x] = kLeZero;
    dbm[x * dim + x] = kLeZero;
}

void copy_clock(Bound* dbm, std::size_t dim, std::size_t x, std::size_t y) {
    if (x == y) {
        return;
    }
    for (std::size_t i = 0; i < dim; ++i) {
        dbm[x * dim + i] = dbm[y * dim + i];
        dbm[i * dim + x] = dbm[i * dim + y];
    }
    dbm[x * dim + y] = kLeZero;
    dbm[y * dim + x] = kLeZero;
    dbm[x * dim + x] = kLeZero;
}

bool intersect(Bound* dbm, const Bound* other, std::size_t dim) {
    bool changed = false;
    for (std::size_t i = 0; i < dim * dim; ++i) {
        changed |= other[i] < dbm[i];
        dbm[i] = std::min(dbm[i], other[i]);
    }
    return !changed || close(dbm, dim);
}

// The larger of two tight matrices' entries, one by one, is tight again.
void widen_to(Bound* dbm, const Bound* other, std::size_t dim) {
    for (std::size_t i = 0; i < dim * dim; ++i) {
        dbm[i] = std::max(dbm[i], other[i]);
    }
}

bool equal(const Bound* a, const Bound* b, std::size_t dim) {
    return std::memcmp(a, b, dim * dim * sizeof(Bound)) == 0;
}

bool meet(const Bound* a, const Bound* b, std::size_t dim) {
    for (std::size_t i = 0; i < dim; ++i) { // two entries that contradict each other are the usual reason for "no"
        for (std::size_t j = 0; j < dim; ++j) {
            if (add(a[i * dim + j], b[j * dim + i]) < kLeZero) {
                return false;
            }
        }
    }
    std::vector<Bound> common(a, a + dim * dim);
    return intersect(common.data(), b, dim);
}

} // namespace beeline::zone
