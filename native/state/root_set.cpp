#include "state/root_set.hpp"

#include <algorithm>
#include <bit>

namespace beeline {
namespace {

constexpr unsigned kMostBits = 32; // of a half

unsigned bits_of(std::uint32_t number) { return static_cast<unsigned>(std::bit_width(number)); }

} // namespace

RootSet::RootSet(MemoryAccount& account)
    : account_(account), set_(std::make_unique<ScatteredSet>(account, left_bits_ + right_bits_)) {}

// A bit more than needed for each half, and all that cost no byte: to widen is to build the set again.
void RootSet::choose_bits(unsigned left, unsigned right, std::size_t expected) {
    left_bits_ = std::min(left + 1, kMostBits);
    right_bits_ = std::min(right + 1, kMostBits);
    const std::size_t bytes = ScatteredSet::bytes_for(left_bits_ + right_bits_, expected);
    while (std::min(left_bits_, right_bits_) < kMostBits &&
           ScatteredSet::bytes_for(left_bits_ + right_bits_ + 1, expected) == bytes) {
        // To the one with less to spare.
        const bool to_left =
            left_bits_ < kMostBits && (left_bits_ - left <= right_bits_ - right || right_bits_ == kMostBits);
        ++(to_left ? left_bits_ : right_bits_);
    }
}

bool RootSet::widen(std::uint32_t left, std::uint32_t right) {
    std::uint32_t all_left = left, all_right = right;
    for_each([&](std::uint32_t first, std::uint32_t second) {
        all_left |= first;
        all_right |= second;
    });
    const std::size_t expected = set_->size() + set_->size() / 8;
    RootSet wider(account_);
    wider.choose_bits(bits_of(all_left), bits_of(all_right), expected);
    wider.set_.reset();
    wider.set_ = std::make_unique<ScatteredSet>(account_, wider.left_bits_ + wider.right_bits_, expected);
    bool fits = true;
    for_each([&](std::uint32_t first, std::uint32_t second) {
        fits = fits && wider.add(first, second) == ScatteredSet::Added::kFresh;
    });
    if (!fits) {
        return false;
    }
    set_ = std::move(wider.set_);
    left_bits_ = wider.left_bits_;
    right_bits_ = wider.right_bits_;
    return true;
}

} // namespace beeline
