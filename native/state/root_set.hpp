// A set of pairs of 32-bit numbers, without numbers of their own, in as many bytes as the largest pair needs.
//
// A pair is one number that is scrambled one-to-one, so that a set of scattered numbers tells pairs apart exactly.
#pragma once

#include "state/scattered_set.hpp"

#include <memory>
#include <utility>

namespace beeline {

class RootSet {
public:
    explicit RootSet(MemoryAccount& account);

    ScatteredSet::Added add(std::uint32_t left, std::uint32_t right) {
        if (!fits(left, right) && !widen(left, right)) {
            return ScatteredSet::Added::kFull;
        }
        if (left == 0 && right == 0) { // the one number that the set does not take
            return std::exchange(has_zero_, true) ? ScatteredSet::Added::kKnown : ScatteredSet::Added::kFresh;
        }
        return set_->add(scramble(joined(left, right)));
    }
    bool contains(std::uint32_t left, std::uint32_t right) const {
        return left == 0 && right == 0 ? has_zero_ : fits(left, right) && set_->contains(scramble(joined(left, right)));
    }
    void prefetch(std::uint32_t left, std::uint32_t right) const {
        if (fits(left, right)) {
            set_->prefetch(scramble(joined(left, right)));
        }
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        if (has_zero_) {
            visit(0u, 0u);
        }
        set_->for_each([&](std::uint64_t number) {
            const std::uint64_t pair = unscramble(number);
            visit(static_cast<std::uint32_t>(pair >> right_bits_),
                  static_cast<std::uint32_t>(pair & ((std::uint64_t{1} << right_bits_) - 1)));
        });
    }
    void clear() {
        set_->clear();
        has_zero_ = false;
    }

private:
    static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15; // odd, so that it has an inverse
    static constexpr std::uint64_t kInverse = 0xf1de83e19937733d;
    static_assert(kFactor * kInverse == 1);

    bool fits(std::uint32_t left, std::uint32_t right) const {
        return std::uint64_t{left} >> left_bits_ == 0 && std::uint64_t{right} >> right_bits_ == 0;
    }
    std::uint64_t joined(std::uint32_t left, std::uint32_t right) const {
        return std::uint64_t{left} << right_bits_ | right;
    }
    std::uint64_t half_folded(std::uint64_t number) const { return number ^ number >> (set_->bits() + 1) / 2; }
    std::uint64_t scramble(std::uint64_t number) const {
        number = half_folded(number) * kFactor & set_->largest();
        number = half_folded(number) * kFactor & set_->largest();
        return half_folded(number);
    }
    std::uint64_t unscramble(std::uint64_t number) const {
        number = half_folded(number) * kInverse & set_->largest();
        number = half_folded(number) * kInverse & set_->largest();
        return half_folded(number);
    }
    bool widen(std::uint32_t left, std::uint32_t right);
    void choose_bits(unsigned left, unsigned right, std::size_t expected);

    MemoryAccount& account_;
    unsigned left_bits_ = 16, right_bits_ = 16; // together the bits of the set's numbers
    std::unique_ptr<ScatteredSet> set_;
    bool has_zero_ = false;
};

} // namespace beeline
