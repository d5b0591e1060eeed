#include "abstraction/relation_sets.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace beeline {

bool meet(SetView a, SetView b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if ((a[i] & b[i]) != 0) {
            return true;
        }
    }
    return false;
}

bool is_within(SetView a, SetView b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if ((a[i] & ~b[i]) != 0) {
            return false;
        }
    }
    return true;
}

bool is_empty(SetView set) {
    return std::all_of(set.begin(), set.end(), [](SetWord word) { return word == 0; });
}

std::int32_t count(SetView set) {
    std::int32_t bits = 0;
    for (const SetWord word : set) {
        bits += std::popcount(word);
    }
    return bits;
}

std::int32_t first(SetView set) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (set[i] != 0) {
            return static_cast<std::int32_t>(i * 64) + std::countr_zero(set[i]);
        }
    }
    return -1;
}

RelationSets::RelationSets(const FactoredTask& task) : labels_of_(task.factors().size()) {
    for (std::size_t factor = 0; factor < task.factors().size(); ++factor) {
        words_.push_back((task.factors()[factor].values.size() + 63) / 64);
        auto& own = sets_.emplace_back();
        for (const Relation& relation : task.factors()[factor].relations) {
            own.push_back(sets_of(factor, relation));
        }
    }
    starts_.push_back(0);
    for (std::size_t label = 0; label < task.labels().size(); ++label) {
        for (const Use& use : task.labels()[label].uses) {
            uses_.push_back(use);
            labels_of_[static_cast<std::size_t>(use.system)].push_back(static_cast<std::int32_t>(label));
        }
        starts_.push_back(uses_.size());
    }
}

RelationSets::Sets RelationSets::sets_of(std::size_t factor, const Relation& moves) const {
    Sets sets;
    sets.from.assign(words_[factor], 0);
    sets.to.assign(words_[factor], 0);
    for (const Move& move : moves) {
        put(sets.from, move.from);
        put(sets.to, move.to);
    }
    const auto pairs = static_cast<std::size_t>(count(sets.from)) * static_cast<std::size_t>(count(sets.to));
    sets.is_product = pairs == moves.size();
    if (!sets.is_product) {
        sets.moves = moves;
    }
    return sets;
}

bool RelationSets::connects(std::int32_t factor, std::int32_t relation, SetView from, SetView to) const {
    if (relation < 0) {
        return meet(from, to);
    }
    const Sets& sets = at(factor, relation);
    if (!meet(from, sets.from) || !meet(to, sets.to)) {
        return false;
    }
    return sets.is_product || std::any_of(sets.moves.begin(), sets.moves.end(),
                                          [&](Move move) { return has(from, move.from) && has(to, move.to); });
}

std::int32_t RelationSets::target(std::int32_t factor, std::int32_t relation, std::int32_t state, SetView to) const {
    if (relation < 0) {
        return has(to, state) ? state : -1;
    }
    const Sets& sets = at(factor, relation);
    if (!has(sets.from, state)) {
        return -1;
    }
    if (sets.is_product) {
        if (has(to, state) && has(sets.to, state)) {
            return state;
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (const SetWord both = to[i] & sets.to[i]) {
                return static_cast<std::int32_t>(i * 64) + std::countr_zero(both);
            }
        }
        return -1;
    }
    std::int32_t found = -1;
    for (auto move = std::lower_bound(sets.moves.begin(), sets.moves.end(), Move{state, 0});
         move != sets.moves.end() && move->from == state; ++move) {
        if (has(to, move->to) && (found < 0 || move->to == state)) {
            found = move->to;
        }
    }
    return found;
}

void RelationSets::origins(std::int32_t factor, std::int32_t relation, SetView from, SetView to,
                           std::span<SetWord> found) const {
    if (relation < 0) {
        std::transform(from.begin(), from.end(), to.begin(), found.begin(), std::bit_and<>());
        return;
    }
    const Sets& sets = at(factor, relation);
    std::fill(found.begin(), found.end(), 0);
    if (sets.is_product) {
        if (meet(to, sets.to)) {
            std::transform(from.begin(), from.end(), sets.from.begin(), found.begin(), std::bit_and<>());
        }
        return;
    }
    for (const Move& move : sets.moves) {
        if (has(from, move.from) && has(to, move.to)) {
            put(found, move.from);
        }
    }
}

void RelationSets::targets(std::int32_t factor, std::int32_t relation, SetView from, std::span<SetWord> found) const {
    const Sets& sets = at(factor, relation);
    std::fill(found.begin(), found.end(), 0);
    if (!meet(from, sets.from)) {
        return;
    }
    if (sets.is_product) {
        std::copy(sets.to.begin(), sets.to.end(), found.begin());
        return;
    }
    for (const Move& move : sets.moves) {
        if (has(from, move.from)) {
            put(found, move.to);
        }
    }
}

} // namespace beeline
