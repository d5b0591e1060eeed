#include "state/root_set.hpp"

namespace beeline {

RootSet::RootSet(MemoryAccount& account) : account_(account), set_(std::make_unique<ScatteredSet>(account, 4)) {}

// Whole bytes more for the half that needs them.
bool RootSet::widen(std::uint32_t left, std::uint32_t right) {
    const auto enough = [](unsigned bits, std::uint64_t number) {
        while (number >> bits != 0) {
            bits += 8;
        }
        return bits;
    };
    const unsigned left_bits = enough(left_bits_, left);
    const unsigned right_bits = enough(right_bits_, right);
    RootSet wider(account_);
    wider.left_bits_ = left_bits;
    wider.right_bits_ = right_bits;
    wider.set_ = std::make_unique<ScatteredSet>(account_, (left_bits + right_bits) / 8);
    bool fits = true;
    for_each([&](std::uint32_t first, std::uint32_t second) {
        fits = fits && wider.add(first, second) == ScatteredSet::Added::kFresh;
    });
    if (!fits) {
        return false;
    }
    set_ = std::move(wider.set_);
    left_bits_ = left_bits;
    right_bits_ = right_bits;
    return true;
}

} // namespace beeline
