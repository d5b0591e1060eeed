// A set of states as pieces of their hashes, a few bytes each (hash compaction: Wolper and Leroy, 1993; Stern and Dill,
// 1995): two states with the same piece are taken for one.
//
// A fingerprint's slot rises with its value, so that the table grows in place: from its end, one run of full slots
// after the other moves up.
#pragma once

#include "state/region.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace beeline {

class FingerprintSet {
public:
    // Fingerprints of 4 to 8 bytes.
    FingerprintSet(MemoryAccount& account, unsigned bytes);

    enum class Added : std::uint8_t { kFresh, kKnown, kFull };

    Added add(std::uint64_t hash) {
        const std::uint64_t print = print_of(hash);
        std::size_t slot = find(print);
        if (get(slot) == print) {
            return Added::kKnown;
        }
        if (size_ >= threshold_ || slot + 1 >= slots()) {
            if (!grow()) {
                return Added::kFull;
            }
            slot = find(print);
        }
        put(slot, print);
        ++size_;
        return Added::kFresh;
    }
    bool contains(std::uint64_t hash) const { return get(find(print_of(hash))) == print_of(hash); }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(region_.data() + home(print_of(hash)) * bytes_); }
    std::size_t size() const { return size_; }
    void clear();

    // The probability that a new state is taken for a known one now.
    double omission() const { return static_cast<double>(size_) / static_cast<double>(mask_); }

private:
    static constexpr std::size_t kOverflow = 4096; // slots behind the last home, instead of going round

    std::uint64_t print_of(std::uint64_t hash) const {
        const std::uint64_t print = hash & mask_;
        return print != 0 ? print : 1; // 0 is an empty slot
    }
    std::size_t home(std::uint64_t print) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(print << (64 - 8 * bytes_)) * capacity_) >> 64);
    }
    std::size_t slots() const { return capacity_ + kOverflow; }
    std::uint64_t get(std::size_t slot) const { return word(slot) & mask_; }
    // What lies behind the slot is read and written along with it.
    std::uint64_t word(std::size_t slot) const {
        std::uint64_t value;
        std::memcpy(&value, region_.data() + slot * bytes_, sizeof value);
        return value;
    }
    void put(std::size_t slot, std::uint64_t print) {
        const std::uint64_t value = (word(slot) & ~mask_) | print;
        std::memcpy(region_.data() + slot * bytes_, &value, sizeof value);
    }
    // The slot of a fingerprint, or the empty one where it belongs; the last slot is always empty.
    std::size_t find(std::uint64_t print) const {
        std::size_t slot = home(print);
        for (std::uint64_t value = get(slot); value != 0 && value != print; value = get(slot)) {
            ++slot;
        }
        return slot;
    }
    bool take(std::size_t capacity);
    bool grow();

    Region region_;
    std::size_t bytes_;
    std::uint64_t mask_;
    std::size_t capacity_ = 0; // homes
    std::size_t size_ = 0;
    std::size_t threshold_ = 0;
};

} // namespace beeline
