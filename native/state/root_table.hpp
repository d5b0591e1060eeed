// A set of pairs of 32-bit numbers, without numbers of their own, in as many bytes as the largest pair needs.
//
// A pair is one number that is scrambled one-to-one, its code, so that a set of scattered numbers tells pairs apart
// exactly. Codes are taken for a whole batch before it is looked up.
#pragma once

#include "state/cleary_table.hpp"

#include <memory>

namespace beeline {

class RootTable {
public:
    // There is room for so many pairs at once. Whoever fills a set from another must say how many there are: pairs come
    // in the order of their codes, so that a small table would be full at its beginning and empty elsewhere.
    explicit RootTable(MemoryAccount& account, std::size_t expected = 0);

    // Makes sure that pairs with bits up to those of the given halves have codes; false if memory is short. Where that
    // takes more bits, codes taken before are good no more.
    bool make_room(std::uint32_t left, std::uint32_t right) {
        if (set_->size() >= kEarly && !early_) {
            early_ = true;
            widen(left, right);
        }
        return fits(left, right) || widen(left, right);
    }
    std::uint64_t code(std::uint32_t left, std::uint32_t right) const {
        return scramble(std::uint64_t{left} << bits_.right | right);
    }
    std::uint32_t left(std::uint64_t code) const { return static_cast<std::uint32_t>(unscramble(code) >> bits_.right); }
    std::uint32_t right(std::uint64_t code) const {
        return static_cast<std::uint32_t>(unscramble(code) & ((std::uint64_t{1} << bits_.right) - 1));
    }

    ClearyTable::Added add(std::uint64_t code) { return set_->add(code); }
    bool contains(std::uint64_t code) const { return set_->contains(code); }
    void prefetch(std::uint64_t code) const { set_->prefetch(code); }
    template <class Visit>
    void for_each(Visit&& visit) const {
        set_->for_each([&](std::uint64_t code) { visit(left(code), right(code)); });
    }
    void clear() { set_->clear(); }

private:
    static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15; // odd, so that it has an inverse
    static constexpr std::uint64_t kInverse = 0xf1de83e19937733d;
    static_assert(kFactor * kInverse == 1);

    // While the set is not large yet, it takes all bits that cost no byte: to do that later takes twice the memory.
    static constexpr std::size_t kEarly = 1 << 17;

    // Of the halves, together those of the set's numbers.
    struct Bits {
        unsigned left, right;
    };

    RootTable(MemoryAccount& account, Bits bits, std::size_t expected);
    bool fits(std::uint32_t left, std::uint32_t right) const {
        return std::uint64_t{left} >> bits_.left == 0 && std::uint64_t{right} >> bits_.right == 0;
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
    static Bits chosen_bits(unsigned left, unsigned right, std::size_t expected);

    MemoryAccount& account_;
    Bits bits_;
    std::size_t expected_;
    bool early_ = false;
    std::unique_ptr<ClearyTable> set_;
};

} // namespace beeline
