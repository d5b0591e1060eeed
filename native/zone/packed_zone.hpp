// Zones without the clocks of which nothing is known: a set of clocks, and the matrix of those alone. In a model of
// many processes most clocks do not matter in most states.
//
// A forgotten clock's row has no bounds, and its column is that of clock 0: its value is anything, and says nothing of
// the others.
#pragma once

#include "space/space.hpp"
#include "zone/bound.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline::zone {

class ZonePacker {
public:
    explicit ZonePacker(std::size_t dim);

    // Words that a packed zone takes at most.
    std::size_t most() const { return set_words_ + dim_ * dim_; }
    std::size_t size(const Word* packed) const;
    // Packs a tight matrix; returns how many words that took.
    std::size_t pack(const Bound* zone, Word* packed);
    void unpack(const Word* packed, Bound* zone) const;
    // Whether every point of one packed zone is in the other.
    bool includes(const Word* outer, const Word* inner) const;

private:
    // The clocks that are kept, clock 0 among them, as bits; then their matrix.
    bool keeps(const Word* packed, std::size_t clock) const { return (packed[clock / 32] >> (clock % 32) & 1) != 0; }
    std::size_t count(const Word* packed) const;
    void find_kept(const Bound* zone);
    bool includes_other(const Word* outer, const Word* inner) const;

    std::size_t dim_;
    std::size_t set_words_;
    std::vector<Bound> differs_;    // scratch, by clock: other than 0 if it is not a forgotten one
    std::vector<std::size_t> kept_; // scratch
};

} // namespace beeline::zone
