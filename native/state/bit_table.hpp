// A set of states in a few bits each (Holzmann, "An analysis of bitstate hashing", 1998): it may take a new state for a
// known one, never the other way round.
#pragma once

#include "state/region.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace beeline {

class BitTable {
public:
    explicit BitTable(MemoryAccount& account) : region_(account) {}

    // Takes 2^log_bits bits; false if the memory budget refuses.
    bool make(unsigned log_bits) {
        mask_ = (std::uint64_t{1} << log_bits) - 1;
        return region_.ensure_finally((mask_ + 1) / 8);
    }
    void clear() {
        region_.zero();
        ones_ = 0;
    }

    // Whether the state with this hash seemed new; afterwards it is not.
    bool add(std::uint64_t hash) {
        bool fresh = false;
        const std::uint64_t step = step_of(hash);
        for (unsigned i = 0; i < kHashes; ++i, hash += step) {
            const bool zero = (byte(hash) & flag(hash)) == 0;
            byte(hash) |= flag(hash);
            ones_ += zero;
            fresh |= zero;
        }
        return fresh;
    }
    bool contains(std::uint64_t hash) const {
        const std::uint64_t step = step_of(hash);
        for (unsigned i = 0; i < kHashes; ++i, hash += step) {
            if ((byte(hash) & flag(hash)) == 0) {
                return false;
            }
        }
        return true;
    }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&byte(hash)); }

    // The probability that a new state is taken for a known one now: all its bits are set by others, or it has the same
    // first place and step as another.
    double omission() const {
        const auto bits = static_cast<double>(mask_ + 1);
        const double share = static_cast<double>(ones_) / bits;
        const double states = static_cast<double>(ones_) / kHashes;
        return share * share * share + states / (bits * bits / 2);
    }

    template <class Archive>
    void archive(Archive& with) {
        with(ones_);
        with.bytes(region_.data(), region_.data() == nullptr ? 0 : (mask_ + 1) / 8);
    }

private:
    static constexpr unsigned kHashes = 3;

    static std::uint64_t step_of(std::uint64_t hash) { return std::rotl(hash, 32) | 1; }
    std::uint8_t& byte(std::uint64_t hash) const {
        return reinterpret_cast<std::uint8_t&>(region_.data()[(hash & mask_) / 8]);
    }
    static std::uint8_t flag(std::uint64_t hash) { return static_cast<std::uint8_t>(1u << (hash % 8)); }

    Region region_;
    std::uint64_t mask_ = 0;
    std::uint64_t ones_ = 0;
};

} // namespace beeline
