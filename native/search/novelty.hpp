// How new a state is: whether it has a value, or a pair of values, that no state before it had whose estimate was the
// same (Lipovetzky and Geffner, "Best-first width search: exploration and exploitation in classical planning", AAAI
// 2017). Values are those of a program's cells, or else of words.
//
// What was seen is kept in a table of bits, which may take something new for known: that costs a better place in an
// open list and nothing else.
#pragma once

#include "state/bit_table.hpp"
#include "state/hash.hpp"
#include "state/tree_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

class Novelty {
public:
    static constexpr unsigned kMostWidth = 2;

    // `width`: 1 looks at values alone, 2 at pairs as well. Without memory for its table nothing is new.
    Novelty(const UnitPlaces& places, unsigned width, MemoryAccount& account) : width_(width), seen_(account) {
        for (const UnitPlace& place : places) {
            if (place.mask != 0) {
                places_.push_back(place);
            }
        }
        is_on_ = seen_.make(width < 2 ? kLogValues : kLogPairs);
    }

    // 0 if a value is new, 1 if a pair of values is, and the width otherwise. `before` is the state that it was reached
    // from, if that was seen with the same estimate: only what differs from it can be new.
    std::uint32_t rank(const Word* state, const Word* before, std::int32_t estimate) {
        if (!is_on_) {
            return width_;
        }
        collect(state, before, estimate);
        bool is_new = false;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            is_new = (changed_[i] && seen_.add(values_[i])) || is_new;
        }
        const bool has_pair = width_ > 1 && add_pairs();
        return is_new ? 0 : has_pair ? 1 : width_;
    }

    template <class Archive>
    void archive(Archive& with) {
        seen_.archive(with);
    }

private:
    static constexpr unsigned kLogValues = 23, kLogPairs = 24; // 1 and 2 MiB

    void collect(const Word* state, const Word* before, std::int32_t estimate) {
        values_.resize(places_.size());
        changed_.resize(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const auto [word, mask] = places_[i];
            const std::uint64_t value = state[word] & mask;
            const std::uint64_t where = (std::uint64_t{static_cast<std::uint32_t>(estimate)} << 32) | i;
            values_[i] = fold_multiply(value ^ make_hash_key(i), where ^ kScramble);
            changed_[i] = before == nullptr || value != (before[word] & mask);
        }
    }

    bool add_pairs() {
        bool is_new = false;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            for (std::size_t j = 0; changed_[i] && j < places_.size(); ++j) {
                if (j > i || (j < i && !changed_[j])) {
                    const auto [low, high] = std::minmax(values_[i], values_[j]);
                    is_new = seen_.add(fold_multiply(low ^ kScramble, high)) || is_new;
                }
            }
        }
        return is_new;
    }

    static constexpr std::uint64_t kScramble = 0xd1b54a32d192ed03;

    std::vector<UnitPlace> places_; // of what can change
    unsigned width_;
    BitTable seen_;
    bool is_on_;
    std::vector<std::uint64_t> values_; // scratch: by place, with the estimate
    std::vector<char> changed_;
};

} // namespace beeline
