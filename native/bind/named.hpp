// Choices by the names that Python knows them by.
#pragma once

#include "abstraction/abstraction.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace beeline {

template <class Kind>
Kind named(const std::string& name, std::initializer_list<std::pair<const char*, Kind>> kinds) {
    for (const auto& [known, kind] : kinds) {
        if (name == known) {
            return kind;
        }
    }
    throw std::invalid_argument("there is no '" + name + "'");
}

inline MergeOrder order_named(const std::string& name) {
    return named<MergeOrder>(name, {{"ranking", MergeOrder::kRanking},
                                    {"nearest", MergeOrder::kNearest},
                                    {"definition", MergeOrder::kDefinition},
                                    {"smallest", MergeOrder::kSmallest}});
}

inline Shrink shrink_named(const std::string& name) {
    return named<Shrink>(
        name, {{"near", Shrink::kNearFirst}, {"far", Shrink::kFarFirst}, {"bisimulation", Shrink::kBisimulation}});
}

} // namespace beeline
