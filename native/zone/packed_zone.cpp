#include "zone/packed_zone.hpp"

#include <algorithm>
#include <bit>

namespace beeline::zone {
namespace {

constexpr std::size_t kBits = 32;

// Calls `visit` with each clock of a set, in ascending order.
template <class Visit>
void each_kept(const Word* packed, std::size_t set_words, const Visit& visit) {
    for (std::size_t word = 0; word < set_words; ++word) {
        for (Word left = packed[word]; left != 0; left &= left - 1) {
            visit(word * kBits + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}

} // namespace

ZonePacker::ZonePacker(std::size_t clocks) : clocks_(clocks), set_words_((clocks + kBits - 1) / kBits) {}

std::size_t ZonePacker::count(const Word* packed) const {
    std::size_t clocks = 0;
    for (std::size_t i = 0; i < set_words_; ++i) {
        clocks += static_cast<std::size_t>(std::popcount(packed[i]));
    }
    return clocks;
}

bool ZonePacker::is_zone(const Word* packed, std::size_t room) const {
    bool known = true;
    each_kept(packed, set_words_, [&](std::size_t clock) { known = known && clock < clocks_; });
    return known && keeps(packed, 0) && count(packed) <= room;
}

// Whole rows at once, so that the compiler can compare many bounds in one instruction.
void ZonePacker::find_kept(const Bound* zone, std::size_t dim) {
    differs_.assign(dim, 0);
    for (std::size_t i = 0; i < dim; ++i) {
        const Bound* row = zone + i * dim;
        const Bound to_zero = i == 0 ? kLeZero : row[0];
        const Bound own = differs_[i];
        Bound finite = 0;
        for (std::size_t j = 0; j < dim; ++j) {
            finite += row[j] != kInfinity;
            differs_[j] |= row[j] ^ to_zero;
        }
        differs_[i] = own | (finite > 1 ? 1 : 0); // its own entry is always zero
    }
    kept_.assign(1, 0);
    for (std::size_t i = 1; i < dim; ++i) {
        if (differs_[i] != 0) {
            kept_.push_back(i);
        }
    }
}

void ZonePacker::pack(const Bound* zone, const Frame& frame, std::size_t room, Word* packed) {
    const std::size_t dim = frame.dim();
    find_kept(zone, dim);
    if (kept_.size() > room) {
        throw Crowded();
    }
    std::fill(packed, packed + set_words_, 0);
    for (const std::size_t place : kept_) {
        const std::size_t clock = frame.clock(place);
        packed[clock / kBits] |= Word{1} << (clock % kBits);
    }
    auto* place = reinterpret_cast<Bound*>(packed + set_words_);
    for (const std::size_t i : kept_) {
        const Bound* row = zone + i * dim;
        for (const std::size_t j : kept_) {
            *place++ = row[j];
        }
    }
    std::fill(place, reinterpret_cast<Bound*>(packed + words_for(room)), 0);
}

void ZonePacker::unpack(const Word* packed, const Frame& frame, Bound* zone) {
    const std::size_t dim = frame.dim();
    std::size_t kept = 0;
    places_.assign(dim, -1);
    each_kept(packed, set_words_, [&](std::size_t clock) {
        if (frame.place(clock) != Frame::kNowhere) {
            places_[static_cast<std::size_t>(frame.place(clock))] = static_cast<std::int32_t>(kept);
        }
        ++kept;
    });
    for (std::size_t i = 0; i < dim; ++i) {
        Bound* row = zone + i * dim;
        if (places_[i] < 0) {
            std::fill(row, row + dim, kInfinity);
            row[i] = kLeZero;
            continue;
        }
        const Bound* from = matrix(packed) + static_cast<std::size_t>(places_[i]) * kept;
        for (std::size_t j = 0; j < dim; ++j) {
            row[j] = from[std::max(places_[j], 0)]; // a forgotten clock may be zero
        }
    }
}

bool ZonePacker::includes(const Word* outer, const Word* inner) const {
    if (!std::equal(outer, outer + set_words_, inner)) {
        return includes_other(outer, inner);
    }
    const Bound* large = matrix(outer);
    const Bound* small = matrix(inner);
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
    places_.clear();
    std::size_t before = 0; // clocks that the inner zone keeps in words before
    for (std::size_t word = 0; word < set_words_; ++word) {
        for (Word left = outer[word]; left != 0; left &= left - 1) {
            const Word lowest = left & (~left + 1);
            const std::size_t place = before + static_cast<std::size_t>(std::popcount(inner[word] & (lowest - 1)));
            places_.push_back((inner[word] & lowest) != 0 ? static_cast<std::int32_t>(place) : -1);
        }
        before += static_cast<std::size_t>(std::popcount(inner[word]));
    }
    const Bound* large = matrix(outer);
    for (std::size_t i = 0; i < places_.size(); ++i, large += places_.size()) {
        const bool known = places_[i] >= 0;
        const Bound* row = matrix(inner) + static_cast<std::size_t>(std::max(places_[i], 0)) * before;
        for (std::size_t j = 0; j < places_.size(); ++j) {
            const Bound small = i == j ? kLeZero : known ? row[std::max(places_[j], 0)] : kInfinity;
            if (large[j] < small) {
                return false;
            }
        }
    }
    return true;
}

} // namespace beeline::zone
