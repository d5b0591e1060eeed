// Bounds of clock differences: "less than c" and "at most c" as one integer, ordered by tightness.
//
// A bound is 2c for "< c" and 2c + 1 for "<= c", so that the smaller number is the tighter bound. The encoding and the
// operations are those of Bengtsson and Yi, "Timed Automata: Semantics, Algorithms and Tools" (2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace beeline::zone {

using Bound = std::int32_t;

inline constexpr Bound kInfinity = std::numeric_limits<Bound>::max(); // no bound; never the result of an addition
inline constexpr Bound kLeZero = 1;
inline constexpr Bound kLtZero = 0;
// No tight bound is further from zero than this, so that two of them can be added. A bound is a sum of constants over a
// path without repetitions, so that a model's constants must stay below this divided by the number of clocks.
inline constexpr std::int32_t kLargestBound = (1 << 28) - 1;
constexpr std::int32_t largest_constant(std::size_t dim) { return kLargestBound / static_cast<std::int32_t>(dim); }

constexpr Bound at_most(std::int32_t constant) { return constant * 2 + 1; }
constexpr Bound less_than(std::int32_t constant) { return constant * 2; }
constexpr std::int32_t constant_of(Bound bound) { return bound >> 1; }
constexpr bool is_weak(Bound bound) { return (bound & 1) != 0; }

// Of finite bounds: x - y and y - z within `a` and `b` give x - z within the sum.
constexpr Bound add_finite(Bound a, Bound b) { return a + b - ((a | b) & 1); }
constexpr Bound add(Bound a, Bound b) { return a == kInfinity || b == kInfinity ? kInfinity : add_finite(a, b); }

// x - y violates a finite bound exactly if y - x is within its complement.
constexpr Bound complement(Bound bound) { return 1 - bound; }

} // namespace beeline::zone
