// Which levels hold something, where most of many hold nothing: the next one is found without looking at those between.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

class LevelSet {
public:
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    void clear() { words_.clear(); }
    void insert(std::size_t level) {
        if (level / kBits >= words_.size()) {
            words_.resize(level / kBits + 1, 0);
        }
        words_[level / kBits] |= std::uint64_t{1} << level % kBits;
    }
    // The lowest that is no lower than `level`, kNone if there is none.
    std::size_t next(std::size_t level) const {
        std::uint64_t mask = ~std::uint64_t{0} << level % kBits;
        for (std::size_t word = level / kBits; word < words_.size(); ++word, mask = ~std::uint64_t{0}) {
            if (const std::uint64_t found = words_[word] & mask; found != 0) {
                return word * kBits + static_cast<std::size_t>(std::countr_zero(found));
            }
        }
        return kNone;
    }
    // Takes the highest one out; kNone if there is none.
    std::size_t take_last() {
        for (; !words_.empty(); words_.pop_back()) {
            if (std::uint64_t& last = words_.back(); last != 0) {
                const std::size_t place = kBits - 1 - static_cast<std::size_t>(std::countl_zero(last));
                last &= ~(std::uint64_t{1} << place);
                return (words_.size() - 1) * kBits + place;
            }
        }
        return kNone;
    }

private:
    static constexpr std::size_t kBits = 64;
    std::vector<std::uint64_t> words_;
};

} // namespace beeline
