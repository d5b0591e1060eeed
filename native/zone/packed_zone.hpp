// Zones without the clocks of which nothing is known: a set of clocks, and the matrix of those alone. In a model of
// many processes most clocks do not matter in most states. States of a zone graph hold their zones so.
//
// A forgotten clock's row has no bounds, and its column is that of clock 0: its value is anything, and says nothing of
// the others.
#pragma once

#include "space/space.hpp"
#include "zone/bound.hpp"
#include "zone/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace beeline::zone {

// Thrown where more clocks are to be kept than there are words for.
struct Crowded : std::length_error {
    Crowded() : std::length_error("a zone keeps more clocks than states have room for") {}
};

class ZonePacker {
public:
    explicit ZonePacker(std::size_t clocks);

    // Words that a zone takes in which at most so many clocks are kept, clock 0 among them.
    std::size_t words_for(std::size_t kept) const { return set_words_ + kept * kept; }
    std::size_t size(const Word* packed) const { return words_for(count(packed)); }
    // How many clocks are kept.
    std::size_t count(const Word* packed) const;
    const Bound* matrix(const Word* packed) const { return reinterpret_cast<const Bound*>(packed + set_words_); }
    // Whether words are a packed zone of at most `room` clocks.
    bool is_zone(const Word* packed, std::size_t room) const;

    // The bound on "0 - x" of the clock with the highest number.
    Bound below_last(const Word* packed) const {
        return keeps(packed, clocks_ - 1) ? matrix(packed)[count(packed) - 1] : kLeZero;
    }

    // Packs a tight matrix into words for `room` clocks, the rest of which become zero. Throws Crowded if more are to
    // be kept.
    void pack(const Bound* zone, const Frame& frame, std::size_t room, Word* packed);
    // The bounds of a frame's clocks; those that are not kept are forgotten ones.
    void unpack(const Word* packed, const Frame& frame, Bound* zone);
    // Whether every point of one packed zone is in the other.
    bool includes(const Word* outer, const Word* inner) const;

private:
    // The clocks that are kept, clock 0 among them, as bits; then their matrix.
    bool keeps(const Word* packed, std::size_t clock) const { return (packed[clock / 32] >> (clock % 32) & 1) != 0; }
    void find_kept(const Bound* zone, std::size_t dim);
    bool includes_other(const Word* outer, const Word* inner) const;

    std::size_t clocks_;
    std::size_t set_words_;
    std::vector<Bound> differs_;               // scratch, by place: other than 0 if it is not a forgotten one
    std::vector<std::size_t> kept_;            // scratch: places
    mutable std::vector<std::int32_t> places_; // scratch: where one zone's clocks lie in another's matrix, or -1
};

} // namespace beeline::zone
