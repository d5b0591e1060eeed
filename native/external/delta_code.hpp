// Records that resemble the one before, as sorted states do: what is written of a record is which of its bytes differ,
// and what they are now. A mask tells the groups of eight bytes with a difference, and one for each of these the bytes.
#pragma once

#include "state/hash.hpp"
#include "state/word.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace beeline {

class DeltaCode {
public:
    explicit DeltaCode(std::size_t words)
        : groups_((words + 1) / 2), before_(2 * groups_ + kSpareWords), masks_((groups_ + 7) / 8), words_(words) {}

    // No more than this is written for a record.
    std::size_t most_bytes() const { return masks_ + groups_ * 9; }
    // The next record stands for itself.
    void begin() { std::fill(before_.begin(), before_.end(), Word{0}); }

    // Returns the place behind what was written.
    std::byte* write(const Word* record, std::byte* out) {
        std::byte* masks = out;
        std::memset(masks, 0, masks_);
        out += masks_;
        for (std::size_t g = 0; g < groups_; ++g) {
            const std::uint64_t now = group(record, g);
            const std::uint64_t change = now ^ load_pair(before_.data() + 2 * g);
            if (change != 0) {
                masks[g / 8] |= std::byte{1} << (g % 8);
                std::memcpy(before_.data() + 2 * g, &now, sizeof now);
                out = write_group(change, out);
            }
        }
        return out;
    }

    // Returns the place behind what was read; the record is in `record()`.
    const std::byte* read(const std::byte* in) {
        const std::byte* masks = in;
        in += masks_;
        for (std::size_t m = 0; m < masks_; ++m) {
            for (auto bits = std::to_integer<unsigned>(masks[m]); bits != 0; bits &= bits - 1) {
                in = read_group(8 * m + static_cast<std::size_t>(std::countr_zero(bits)), in);
            }
        }
        return in;
    }
    const Word* record() const { return before_.data(); }

private:
    // The last word of an odd number of them is a group of its own.
    std::uint64_t group(const Word* record, std::size_t g) const {
        return 2 * g + 2 <= words_ ? load_pair(record + 2 * g) : record[2 * g];
    }
    static std::byte* write_group(std::uint64_t change, std::byte* out) {
        std::byte* mask = out++;
        unsigned bits = 0;
        for (unsigned i = 0; i < 8; ++i, change >>= 8) {
            const auto byte = static_cast<std::byte>(change);
            *out = byte;
            out += byte != std::byte{0};
            bits |= static_cast<unsigned>(byte != std::byte{0}) << i;
        }
        *mask = static_cast<std::byte>(bits);
        return out;
    }
    const std::byte* read_group(std::size_t g, const std::byte* in) {
        std::uint64_t now = load_pair(before_.data() + 2 * g);
        for (auto bits = std::to_integer<unsigned>(*in++); bits != 0; bits &= bits - 1) {
            now ^= std::to_integer<std::uint64_t>(*in++) << (8 * std::countr_zero(bits));
        }
        std::memcpy(before_.data() + 2 * g, &now, sizeof now);
        return in;
    }

    std::size_t groups_;
    std::vector<Word> before_;
    std::size_t masks_;
    std::size_t words_;
};

} // namespace beeline
