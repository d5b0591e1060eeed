// Zone operations against brute force: every point of a fine grid is asked whether it is in the result.
//
// A non-empty zone over n clocks with whole-number bounds has a point whose coordinates are multiples of 1/(n + 1), so
// a grid of twelfths decides emptiness, inclusion and equality for two clocks exactly, with room for a delay between.
#include "tests/check.hpp"
#include "zone/dbm.hpp"
#include "zone/extrapolate.hpp"
#include "zone/federation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace beeline::zone;

constexpr int kUnit = 12;
constexpr int kCoarse = 3; // points of results are multiples of a quarter, witnesses may be finer
constexpr int kTop = 7 * kUnit;
constexpr std::size_t kDim = 3;
constexpr std::size_t kSize = kDim * kDim;
using Point = std::array<int, kDim>; // [0] is zero
using Zone = std::array<Bound, kSize>;

bool within(int difference, Bound bound) {
    if (bound == kInfinity) {
        return true;
    }
    const int limit = constant_of(bound) * kUnit;
    return is_weak(bound) ? difference <= limit : difference < limit;
}

bool contains(const Bound* zone, const Point& point) {
    for (std::size_t i = 0; i < kDim; ++i) {
        for (std::size_t j = 0; j < kDim; ++j) {
            if (!within(point[i] - point[j], zone[i * kDim + j])) {
                return false;
            }
        }
    }
    return true;
}

void for_points(int step, const std::function<void(const Point&)>& body) {
    for (int x = 0; x <= kTop; x += step) {
        for (int y = 0; y <= kTop; y += step) {
            body({0, x, y});
        }
    }
}

class Source {
public:
    explicit Source(unsigned seed) : engine_(seed) {}
    int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
    Bound bound(int low, int high) {
        const int constant = between(low, high);
        return between(0, 1) != 0 ? at_most(constant) : less_than(constant);
    }
    // A random tight, non-empty zone.
    Zone zone() {
        Zone zone;
        for (;;) {
            set_universe(zone.data(), kDim);
            bool full = true;
            for (int i = between(0, 6); full && i > 0; --i) {
                const auto x = static_cast<std::size_t>(between(0, 2));
                const auto y = static_cast<std::size_t>(between(0, 2));
                full = x == y || constrain(zone.data(), kDim, x, y, bound(-3, 4));
            }
            if (full) {
                return zone;
            }
        }
    }

private:
    std::mt19937 engine_;
};

// Checks that `zone` is tight and contains exactly the points that `wanted` says.
void check_points(const Zone& zone, const std::function<bool(const Point&)>& wanted) {
    CHECK(is_tight(zone.data(), kDim));
    int wrong = 0;
    for_points(kCoarse, [&](const Point& point) { wrong += contains(zone.data(), point) != wanted(point); });
    CHECK_EQUAL(wrong, 0);
}

constexpr int kRounds = 60;

} // namespace

TEST(zone_constrain_keeps_the_points_within_the_bound) {
    Source source(1);
    for (int round = 0; round < 4 * kRounds; ++round) {
        const Zone before = source.zone();
        const auto x = static_cast<std::size_t>(source.between(0, 2));
        const auto y = (x + static_cast<std::size_t>(source.between(1, 2))) % kDim;
        const Bound bound = source.bound(-4, 4);
        const auto wanted = [&](const Point& p) { return contains(before.data(), p) && within(p[x] - p[y], bound); };
        bool any = false;
        for_points(1, [&](const Point& point) { any |= wanted(point); });
        Zone after = before;
        CHECK_EQUAL(satisfies(before.data(), kDim, x, y, bound), any);
        const bool left = constrain(after.data(), kDim, x, y, bound);
        CHECK_EQUAL(left, any);
        if (left) {
            check_points(after, wanted);
        }
        Zone slow = before;
        slow[x * kDim + y] = std::min(slow[x * kDim + y], bound);
        CHECK_EQUAL(close(slow.data(), kDim), any);
        if (any) {
            CHECK(equal(slow.data(), after.data(), kDim));
        }
    }
}

TEST(zone_up_and_down_are_the_future_and_the_past) {
    Source source(2);
    for (int round = 0; round < kRounds; ++round) {
        const Zone before = source.zone();
        Zone future = before;
        up(future.data(), kDim);
        check_points(future, [&](const Point& p) {
            for (int delay = 0; delay <= std::min(p[1], p[2]); ++delay) {
                if (contains(before.data(), {0, p[1] - delay, p[2] - delay})) {
                    return true;
                }
            }
            return false;
        });
        Zone past = before;
        down(past.data(), kDim);
        check_points(past, [&](const Point& p) {
            for (int delay = 0; delay <= kTop; ++delay) {
                if (contains(before.data(), {0, p[1] + delay, p[2] + delay})) {
                    return true;
                }
            }
            return false;
        });
    }
}

TEST(zone_reset_free_and_copy_change_one_clock) {
    Source source(3);
    for (int round = 0; round < kRounds; ++round) {
        const Zone before = source.zone();
        const auto x = static_cast<std::size_t>(source.between(1, 2));
        const std::size_t y = 3 - x;
        const int value = source.between(0, 3);
        const auto somewhere = [&](Point p) {
            for (p[x] = 0; p[x] <= 2 * kTop; ++p[x]) { // the forgotten value may lie beyond the grid
                if (contains(before.data(), p)) {
                    return true;
                }
            }
            return false;
        };
        Zone after = before;
        reset(after.data(), kDim, x, value);
        check_points(after, [&](const Point& p) { return p[x] == value * kUnit && somewhere(p); });
        after = before;
        free_clock(after.data(), kDim, x);
        check_points(after, somewhere);
        after = before;
        copy_clock(after.data(), kDim, x, y);
        check_points(after, [&](const Point& p) { return p[x] == p[y] && somewhere(p); });
    }
}

TEST(zone_intersection_inclusion_and_meeting_agree_with_points) {
    Source source(4);
    for (int round = 0; round < 4 * kRounds; ++round) {
        const Zone a = source.zone();
        const Zone b = source.zone();
        bool included = true;
        bool meeting = false;
        for_points(1, [&](const Point& point) {
            included &= !contains(b.data(), point) || contains(a.data(), point);
            meeting |= contains(a.data(), point) && contains(b.data(), point);
        });
        CHECK_EQUAL(includes(a.data(), b.data(), kDim), included);
        CHECK_EQUAL(meet(a.data(), b.data(), kDim), meeting);
        Zone both = a;
        CHECK_EQUAL(intersect(both.data(), b.data(), kDim), meeting);
        if (meeting) {
            check_points(both, [&](const Point& p) { return contains(a.data(), p) && contains(b.data(), p); });
        }
    }
}

TEST(zone_subtraction_leaves_exactly_the_other_points) {
    Source source(5);
    for (int round = 0; round < 2 * kRounds; ++round) {
        const Zone whole = source.zone();
        Federation rest(kDim);
        rest.add(whole.data());
        std::vector<Zone> taken;
        for (int i = 0; i < 3; ++i) {
            taken.push_back(source.zone());
            rest.subtract(taken.back().data());
        }
        int wrong = 0;
        for_points(kCoarse, [&](const Point& point) {
            bool wanted = contains(whole.data(), point);
            for (const Zone& zone : taken) {
                wanted = wanted && !contains(zone.data(), point);
            }
            int found = 0;
            for (std::size_t i = 0; i < rest.size(); ++i) {
                found += contains(rest[i], point);
            }
            wrong += found != static_cast<int>(wanted); // once, not twice: the pieces do not overlap
        });
        CHECK_EQUAL(wrong, 0);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            CHECK(is_tight(rest[i], kDim));
        }
    }
}

TEST(zone_extrapolations_grow_in_the_published_order) {
    Source source(6);
    for (int round = 0; round < 10 * kRounds; ++round) {
        const Zone zone = source.zone();
        std::array<std::int32_t, kDim> lower{0}, upper{0}, greatest{0};
        for (std::size_t i = 1; i < kDim; ++i) {
            lower[i] = source.between(0, 3) == 0 ? kNeverCompared : source.between(0, 3);
            upper[i] = source.between(0, 3) == 0 ? kNeverCompared : source.between(0, 3);
            greatest[i] = std::max(lower[i], upper[i]);
        }
        Zone m = zone, m_plus = zone, lu = zone, lu_plus = zone;
        extrapolate_m(m.data(), kDim, greatest.data());
        extrapolate_m_plus(m_plus.data(), kDim, greatest.data());
        extrapolate_lu(lu.data(), kDim, lower.data(), upper.data());
        extrapolate_lu_plus(lu_plus.data(), kDim, lower.data(), upper.data());
        for (const Zone* wide : {&m, &m_plus, &lu, &lu_plus}) {
            CHECK(is_tight(wide->data(), kDim));
            CHECK(includes(wide->data(), zone.data(), kDim));
        }
        CHECK(includes(m_plus.data(), m.data(), kDim));
        CHECK(includes(lu.data(), m.data(), kDim));
        CHECK(includes(lu_plus.data(), lu.data(), kDim));
        CHECK(includes(lu_plus.data(), m_plus.data(), kDim));
    }
}

// Every point that Extra-LU+ adds can do no more than some point of the zone: on each clock they are equal, or the
// zone's point is above the lower constant and below, or the added one is above the upper constant and below.
TEST(zone_extrapolation_adds_only_points_that_the_zone_simulates) {
    Source source(7);
    for (int round = 0; round < kRounds; ++round) {
        const Zone zone = source.zone();
        std::array<std::int32_t, kDim> lower{0}, upper{0};
        for (std::size_t i = 1; i < kDim; ++i) {
            lower[i] = source.between(0, 4) == 0 ? kNeverCompared : source.between(0, 3);
            upper[i] = source.between(0, 4) == 0 ? kNeverCompared : source.between(0, 3);
        }
        Zone wide = zone;
        extrapolate_lu_plus(wide.data(), kDim, lower.data(), upper.data());
        const auto above = [](int value, std::int32_t constant) {
            return constant == kNeverCompared || value > constant * kUnit;
        };
        const auto simulates = [&](const Point& strong, const Point& weak) {
            for (std::size_t x = 1; x < kDim; ++x) {
                const bool by_lower = above(strong[x], lower[x]) && strong[x] < weak[x];
                const bool by_upper = above(weak[x], upper[x]) && weak[x] < strong[x];
                if (strong[x] != weak[x] && !by_lower && !by_upper) {
                    return false;
                }
            }
            return true;
        };
        std::vector<Point> inside;
        for_points(1, [&](const Point& point) {
            if (contains(zone.data(), point)) {
                inside.push_back(point);
            }
        });
        int wrong = 0;
        for (int x = 0; x <= 4 * kUnit; x += kCoarse) { // far from the grid's edge, where witnesses may be cut off
            for (int y = 0; y <= 4 * kUnit; y += kCoarse) {
                const Point point{0, x, y};
                if (contains(wide.data(), point) && !contains(zone.data(), point)) {
                    bool found = false;
                    for (std::size_t i = 0; !found && i < inside.size(); ++i) {
                        found = simulates(inside[i], point);
                    }
                    wrong += !found;
                }
            }
        }
        CHECK_EQUAL(wrong, 0);
    }
}

namespace {

// Whether no guard tells two points apart, now or later: the same whole parts and the same order of fractions up to the
// greatest constants, and the same truth of all diagonals.
bool alike(const Point& one, const Point& other, const std::array<std::int32_t, kDim>& greatest,
           const std::vector<Diagonal>& diagonals) {
    const auto near = [&](const Point& point, std::size_t x) { return point[x] <= greatest[x] * kUnit; };
    for (std::size_t x = 1; x < kDim; ++x) {
        if (near(one, x) != near(other, x)) {
            return false;
        }
        if (near(one, x) && (one[x] / kUnit != other[x] / kUnit || (one[x] % kUnit == 0) != (other[x] % kUnit == 0))) {
            return false;
        }
    }
    const auto order = [](const Point& p) { return (p[1] % kUnit > p[2] % kUnit) - (p[1] % kUnit < p[2] % kUnit); };
    if (near(one, 1) && near(one, 2) && order(one) != order(other)) {
        return false;
    }
    for (const Diagonal& diagonal : diagonals) {
        for (Bound bound = diagonal.low; bound <= diagonal.high; bound += 2) {
            if (within(one[diagonal.x] - one[diagonal.y], bound) !=
                within(other[diagonal.x] - other[diagonal.y], bound)) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

TEST(zone_parts_by_diagonals_have_no_points_that_guards_could_tell_from_all_of_the_zone) {
    Source source(8);
    int divided = 0;
    for (int round = 0; round < 4 * kRounds; ++round) {
        const Zone zone = source.zone();
        const std::array<std::int32_t, kDim> greatest{0, source.between(2, 3), source.between(2, 3)};
        std::vector<Diagonal> diagonals;
        for (int i = source.between(1, 2); i > 0; --i) {
            const auto x = static_cast<std::uint32_t>(source.between(1, 2));
            const Bound low = source.bound(-2, 1);
            diagonals.push_back({x, 3 - x, low, std::min(low + 2 * source.between(0, 2), 2 + low % 2)});
            diagonals.back().high = std::max(diagonals.back().high, low);
        }
        std::vector<Bound> parts;
        split_diagonals(zone.data(), kDim, greatest.data(), diagonals, parts);
        divided += parts.size() > kSize;
        std::vector<Point> inside;
        for_points(1, [&](const Point& point) {
            if (contains(zone.data(), point)) {
                inside.push_back(point);
            }
        });
        int wrong = 0, lost = 0;
        for_points(kCoarse, [&](const Point& point) {
            bool found = false;
            for (std::size_t p = 0; p < parts.size(); p += kSize) {
                found |= contains(parts.data() + p, point);
            }
            const bool before = contains(zone.data(), point);
            lost += before && !found;
            if (found && !before && point[1] <= 4 * kUnit && point[2] <= 4 * kUnit) { // witnesses lie on the grid
                wrong += std::none_of(inside.begin(), inside.end(),
                                      [&](const Point& other) { return alike(point, other, greatest, diagonals); });
            }
        });
        CHECK_EQUAL(lost, 0);
        CHECK_EQUAL(wrong, 0);
        for (std::size_t p = 0; p < parts.size(); p += kSize) {
            CHECK(is_tight(parts.data() + p, kDim));
        }
    }
    CHECK(divided > 0);
}

TEST(zone_where_one_clock_stands_still_has_every_point_that_time_brings_about_and_no_smaller_zone_has) {
    Source source(9);
    for (int round = 0; round < kRounds; ++round) {
        const Zone before = source.zone();
        const std::array<std::uint8_t, kDim> running{0, 1, static_cast<std::uint8_t>(round % 2)};
        Zone after = before;
        up_running(after.data(), kDim, running.data());
        // With two clocks, one of them running, the future of a zone is a zone.
        check_points(after, [&](const Point& point) {
            bool found = false;
            for (int past = 0; !found && past <= kTop; ++past) {
                found = contains(before.data(), {0, point[1] - past, point[2] - past * running[2]});
            }
            return found;
        });
    }
}

TEST(zone_past_where_one_clock_stands_still_has_only_points_that_arrive) {
    Source source(10);
    int exact = 0;
    for (int round = 0; round < 2 * kRounds; ++round) {
        const std::array<std::uint8_t, kDim> running{0, 1, static_cast<std::uint8_t>(round % 2)};
        Zone within_zone = source.zone();
        up_running(within_zone.data(), kDim, running.data());
        Zone goal = within_zone;
        if (!intersect(goal.data(), source.zone().data(), kDim)) {
            continue;
        }
        Zone past = goal;
        const bool some = down_running(past.data(), kDim, running.data(), within_zone.data());
        int wrong = 0, missing = 0;
        for_points(kCoarse, [&](const Point& point) {
            if (point[1] > 5 * kUnit || !contains(within_zone.data(), point)) {
                return; // further ones may arrive beyond the grid
            }
            bool arrives = false;
            for (int delay = 0; !arrives && point[1] + delay <= 2 * kTop; ++delay) {
                arrives = contains(goal.data(), {0, point[1] + delay, point[2] + delay * running[2]});
            }
            const bool said = some && contains(past.data(), point);
            wrong += said && !arrives;
            missing += arrives && !said;
        });
        CHECK_EQUAL(wrong, 0);
        exact += missing == 0;
    }
    CHECK(exact > kRounds);
}
