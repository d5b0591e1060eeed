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
        return region_.ensure_exactly((mask_ + 1) / 8);
    }
    void clear() { region_.zero(); }

    // Whether the state with this hash seemed new; afterwards it is not.
    bool add(std::uint64_t hash) {
        bool fresh = false;
        const std::uint64_t step = std::rotl(hash, 32) | 1;
        for (unsigned i = 0; i < kHashes; ++i, hash += step) {
            const std::uint64_t bit = hash & mask_;
            auto& byte = reinterpret_cast<std::uint8_t&>(region_.data()[bit / 8]);
            const auto flag = static_cast<std::uint8_t>(1u << (bit % 8));
            fresh |= (byte & flag) == 0;
            byte |= flag;
        }
        return fresh;
    }

private:
    static constexpr unsigned kHashes = 3;
    Region region_;
    std::uint64_t mask_ = 0;
};

} // namespace beeline
