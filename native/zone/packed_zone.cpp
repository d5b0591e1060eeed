#include "zone/packed_zone.hpp"

#include <algorithm>
#include <bit>

namespace beeline::zone {

ZonePacker::ZonePacker(std::size_t dim) : dim_(dim), set_words_((dim + 31) / 32), differs_(dim) {}

std::size_t ZonePacker::count(const Word* packed) const {
    std::size_t clocks = 0;
    for (std::size_t i = 0; i < set_words_; ++i) {
        clocks += static_cast<std::size_t>(std::popcount(packed[i]));
    }
    return clocks;
}

std::size_t ZonePacker::size(const Word* packed) const {
    const std::size_t clocks = count(packed);
    return set_words_ + clocks * clocks;
}

// Whole rows at once, so that the compiler can compare many bounds in one instruction.
void ZonePacker::find_kept(const Bound* zone) {
    std::fill(differs_.begin(), differs_.end(), 0);
    for (std::size_t i = 0; i < dim_; ++i) {
        const Bound* row = zone + i * dim_;
        const Bound to_zero = i == 0 ? kLeZero : row[0];
        const Bound own = differs_[i];
        Bound finite = 0;
        for (std::size_t j = 0; j < dim_; ++j) {
            finite += row[j] != kInfinity;
            differs_[j] |= row[j] ^ to_zero;
        }
        differs_[i] = own | (finite > 1 ? 1 : 0); // its own entry is always zero
    }
    kept_.assign(1, 0);
    for (std::size_t i = 1; i < dim_; ++i) {
        if (differs_[i] != 0) {
            kept_.push_back(i);
        }
    }
}

std::size_t ZonePacker::pack(const Bound* zone, Word* packed) {
    find_kept(zone);
    std::fill(packed, packed + set_words_, 0);
    for (const std::size_t clock : kept_) {
        packed[clock / 32] |= Word{1} << (clock % 32);
    }
    auto* place = reinterpret_cast<Bound*>(packed + set_words_);
    for (const std::size_t i : kept_) {
        const Bound* row = zone + i * dim_;
        for (const std::size_t j : kept_) {
            *place++ = row[j];
        }
    }
    return set_words_ + kept_.size() * kept_.size();
}

void ZonePacker::unpack(const Word* packed, Bound* zone) const {
    const auto* place = reinterpret_cast<const Bound*>(packed + set_words_);
    for (std::size_t i = 0; i < dim_; ++i) {
        Bound* row = zone + i * dim_;
        if (!keeps(packed, i)) {
            std::fill(row, row + dim_, kInfinity);
            row[i] = kLeZero;
            continue;
        }
        std::fill(row, row + dim_, *place);
        for (std::size_t word = 0; word < set_words_; ++word) {
            for (Word left = packed[word]; left != 0; left &= left - 1) {
                row[word * 32 + static_cast<std::size_t>(std::countr_zero(left))] = *place++;
            }
        }
    }
}

bool ZonePacker::includes(const Word* outer, const Word* inner) const {
    if (!std::equal(outer, outer + set_words_, inner)) {
        return includes_other(outer, inner);
    }
    const auto* large = reinterpret_cast<const Bound*>(outer + set_words_);
    const auto* small = reinterpret_cast<const Bound*>(inner + set_words_);
    const std::size_t clocks = count(outer);
    for (std::size_t row = 0; row < clocks * clocks; row += clocks) {
        Bound worst = 0;
        for (std::size_t j = row; j < row + clocks; ++j) {
            worst |= large[j] < small[j];
        }
        if (worst != 0) {
            return false;
        }
    }
    return true;
}

// The outer zone says nothing of the clocks that it forgot, and the inner one is tight: only bounds between clocks that
// the outer one keeps have to be compared.
bool ZonePacker::includes_other(const Word* outer, const Word* inner) const {
    const auto* large = reinterpret_cast<const Bound*>(outer + set_words_);
    const auto* row = reinterpret_cast<const Bound*>(inner + set_words_);
    const std::size_t clocks = count(inner);
    for (std::size_t i = 0; i < dim_; ++i) {
        const bool known = keeps(inner, i);
        if (keeps(outer, i)) {
            for (std::size_t j = 0, place = 0; j < dim_; ++j) {
                const bool both = known && keeps(inner, j);
                const Bound small = i == j ? kLeZero : !known ? kInfinity : both ? row[place] : row[0];
                place += keeps(inner, j);
                if (keeps(outer, j) && *large++ < small) {
                    return false;
                }
            }
        }
        row += known ? clocks : 0;
    }
    return true;
}

} // namespace beeline::zone
