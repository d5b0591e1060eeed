// Which processes and variables go into a pattern database.
#pragma once

#include "abstraction/abstraction.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

enum class PatternChoice : std::uint8_t {
    kCausal,         // for each thing that the goal asks for: that, and what decides about its changes, nearest first
    kCounterexample, // one pattern, grown by the first thing that makes its abstract error trace impossible
    kRussianDoll,    // one pattern, grown by what its abstract error trace asks amiss most often
};

using Pattern = std::vector<std::int32_t>; // factors, in order

struct PatternOptions {
    std::size_t work = 8000000;     // as in AbstractionOptions, for one database
    std::size_t entries = 80000000; // likewise
    bool labelled = false;          // likewise
};

// Patterns with at most `size` states each. One that grows no longer does so when the time is up.
std::vector<Pattern> choose_patterns(const FactoredTask& task, PatternChoice choice, std::int64_t size,
                                     const PatternOptions& options, Allowance& allowance);

// Each factor that the goal asks for alone, and with each one that decides about its changes; at most `most` patterns.
std::vector<Pattern> small_patterns(const FactoredTask& task, std::int64_t size, std::size_t most);

// The database of one pattern.
Abstraction pattern_database(const FactoredTask& task, const Pattern& pattern, const PatternOptions& options,
                             Allowance& allowance);

// The largest sets of patterns whose values may be added: no step that counts changes two patterns of a set.
std::vector<std::vector<std::size_t>> additive_sets(const FactoredTask& task, const std::vector<Pattern>& patterns);

} // namespace beeline
