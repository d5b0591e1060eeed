// Relations of a factored task between sets of values: which values of one set a label can take to another.
// Most relations lead from anywhere in one set to anywhere in another; these need no look at single moves.
#pragma once

#include "abstraction/factors.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beeline {

// Sets of a factor's states as bits, least state first. The number of words is that of the factor.
using SetWord = std::uint64_t;
using SetView = std::span<const SetWord>;

inline bool has(SetView set, std::int32_t state) {
    return (set[static_cast<std::size_t>(state) / 64] >> (static_cast<std::size_t>(state) % 64) & 1U) != 0;
}
inline void put(std::span<SetWord> set, std::int32_t state) {
    set[static_cast<std::size_t>(state) / 64] |= SetWord{1} << (static_cast<std::size_t>(state) % 64);
}
bool meet(SetView a, SetView b);
bool is_within(SetView a, SetView b);
bool is_empty(SetView set);
std::int32_t count(SetView set);
std::int32_t first(SetView set); // kNoState's value, -1, if there is none

class RelationSets {
public:
    explicit RelationSets(const FactoredTask& task);

    std::size_t words(std::size_t factor) const { return words_[factor]; }

    // The relation by which a label moves a factor; -1 if it leaves the factor where it is.
    std::int32_t relation(std::int32_t label, std::int32_t factor) const {
        for (const Use& use : uses(label)) {
            if (use.system == factor) {
                return use.relation;
            }
        }
        return -1;
    }
    std::span<const Use> uses(std::int32_t label) const {
        const auto from = starts_[static_cast<std::size_t>(label)];
        return {uses_.data() + from, starts_[static_cast<std::size_t>(label) + 1] - from};
    }
    // Labels that move a factor or ask it.
    const std::vector<std::int32_t>& labels_of(std::size_t factor) const { return labels_of_[factor]; }

    // Whether some state of `from` gets into `to`; by relation -1 it stays where it is.
    bool connects(std::int32_t factor, std::int32_t relation, SetView from, SetView to) const;
    // A state of `to` that `state` gets to, its own if that is one; -1 if there is none.
    std::int32_t target(std::int32_t factor, std::int32_t relation, std::int32_t state, SetView to) const;
    // Those of `from` that get into `to`, into `found`.
    void origins(std::int32_t factor, std::int32_t relation, SetView from, SetView to, std::span<SetWord> found) const;
    // Where those of `from` get to, into `found`.
    void targets(std::int32_t factor, std::int32_t relation, SetView from, std::span<SetWord> found) const;

private:
    struct Sets {
        bool is_product = false; // all of `from` times all of `to`
        std::vector<SetWord> from, to;
        Relation moves; // otherwise
    };
    Sets sets_of(std::size_t factor, const Relation& moves) const;
    const Sets& at(std::int32_t factor, std::int32_t relation) const {
        return sets_[static_cast<std::size_t>(factor)][static_cast<std::size_t>(relation)];
    }

    std::vector<std::size_t> words_;
    std::vector<std::vector<Sets>> sets_; // by factor and relation
    std::vector<std::size_t> starts_;
    std::vector<Use> uses_;
    std::vector<std::vector<std::int32_t>> labels_of_;
};

} // namespace beeline
