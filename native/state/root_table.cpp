#include "state/root_table.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace beeline {
namespace {

constexpr unsigned kMostBits = 32; // of a half

unsigned bits_of(std::uint32_t number) { return static_cast<unsigned>(std::bit_width(number)); }

} // namespace

RootTable::RootTable(MemoryAccount& account, std::size_t expected) : RootTable(account, {16, 16}, expected) {}

RootTable::RootTable(MemoryAccount& account, Bits bits, std::size_t expected)
    : account_(account), bits_(bits), expected_(expected),
      set_(std::make_unique<ClearyTable>(account, bits.left + bits.right, expected)) {}

// A bit more than needed for each half, and all that cost no byte: to widen is to build the set again.
RootTable::Bits RootTable::chosen_bits(unsigned left, unsigned right, std::size_t expected) {
    Bits bits = {std::min(left + 1, kMostBits), std::min(right + 1, kMostBits)};
    const std::size_t bytes = ClearyTable::bytes_for(bits.left + bits.right, expected);
    while (std::min(bits.left, bits.right) < kMostBits &&
           ClearyTable::bytes_for(bits.left + bits.right + 1, expected) == bytes) {
        // To the one with less to spare.
        const bool to_left =
            bits.left < kMostBits && (bits.left - left <= bits.right - right || bits.right == kMostBits);
        ++(to_left ? bits.left : bits.right);
    }
    return bits;
}

bool RootTable::widen(std::uint32_t left, std::uint32_t right) {
    for_each([&](std::uint32_t first, std::uint32_t second) {
        left |= first;
        right |= second;
    });
    const std::size_t expected = std::max(expected_, set_->size() + set_->size() / 8);
    try {
        RootTable wider(account_, chosen_bits(bits_of(left), bits_of(right), expected), expected);
        bool fits = true;
        for_each([&](std::uint32_t first, std::uint32_t second) {
            fits = fits && wider.add(wider.code(first, second)) == ClearyTable::Added::kFresh;
        });
        if (fits) {
            set_ = std::move(wider.set_);
            bits_ = wider.bits_;
        }
        return fits;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

} // namespace beeline
