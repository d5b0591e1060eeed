// How each state of a breadth-first search was reached, in about ten bits: whose child it is, and by which arc.
//
// Children come in the order of their parents, so that the tree is a string of bits (Jacobson, 1989): a one for each
// child, a zero where the next parent begins. The arc is its position among those of the parent.
#pragma once

#include "state/column.hpp"
#include "state/store.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

class WayBack {
public:
    explicit WayBack(MemoryAccount& account) : bits_(account), positions_(account) {}

    // The next state is a child of `parent` (kNoIndex: initial). Parents never fall. False if memory is short.
    bool append(Index parent, std::uint32_t position) {
        const std::uint64_t begun = parent == kNoIndex ? 0 : std::uint64_t{parent} + 1; // parents before this one
        if (!bits_.ensure((length_ + begun - zeros_) / 64) || !positions_.ensure(size_)) {
            return false;
        }
        length_ += begun - zeros_;
        zeros_ = begun;
        bits_[length_ / 64] |= std::uint64_t{1} << (length_ % 64);
        ++length_;
        if (position >= kMore) {
            far_.emplace_back(static_cast<Index>(size_), position);
        }
        positions_[size_++] = static_cast<std::uint8_t>(position < kMore ? position : kMore);
        return true;
    }

    // The positions of the arcs on the way to a state: that of the initial state first.
    std::vector<std::uint32_t> positions_to(Index index) const {
        std::vector<std::uint32_t> found;
        std::uint64_t word = (length_ + 63) / 64;
        std::uint64_t ones = size_; // before `word`
        for (; index != kNoIndex; index = parent_of(index, word, ones)) {
            found.push_back(position(index));
        }
        return {found.rbegin(), found.rend()};
    }
    void clear() {
        std::fill_n(bits_.data(), size_ == 0 ? 0 : length_ / 64 + 1, std::uint64_t{0});
        far_.clear();
        length_ = zeros_ = 0;
        size_ = 0;
    }

private:
    static constexpr std::uint32_t kMore = 255;

    std::uint32_t position(Index index) const {
        if (positions_[index] < kMore) {
            return positions_[index];
        }
        return std::lower_bound(far_.begin(), far_.end(), std::pair(index, 0u))->second;
    }
    // Goes back to the word with the child's one; the zeros before it tell the parent.
    Index parent_of(Index child, std::uint64_t& word, std::uint64_t& ones) const {
        while (ones > child) {
            ones -= static_cast<std::uint64_t>(std::popcount(bits_[--word]));
        }
        std::uint64_t bits = bits_[word];
        for (std::uint64_t before = ones; before < child; ++before) {
            bits &= bits - 1;
        }
        const std::uint64_t place = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
        return static_cast<Index>(place - child - 1); // the first parent stands for none: kNoIndex
    }

    Column<std::uint64_t> bits_;
    Column<std::uint8_t> positions_;
    std::vector<std::pair<Index, std::uint32_t>> far_; // positions that take more than a byte
    std::uint64_t length_ = 0;                         // of the string
    std::uint64_t zeros_ = 0;
    std::size_t size_ = 0;
};

} // namespace beeline
