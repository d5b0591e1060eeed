// A set of pairs of 32-bit numbers in a few bytes each: every pair has the number of its insertion.
//
// Numbers lie in columns as wide as the largest of them needs. A slot of the table is 32 bits: the pair's number, and
// in the bits left over a piece of its hash that saves most looks at the columns.
#pragma once

#include "state/hash.hpp"
#include "state/region.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace beeline {

// Numbers of one to four bytes; the width grows with the largest number.
class ByteColumn {
public:
    explicit ByteColumn(MemoryAccount& account) : region_(account) {}

    std::uint32_t get(std::size_t i) const {
        std::uint32_t value;
        std::memcpy(&value, region_.data() + i * width_, sizeof value);
        return value & mask_;
    }
    // Writes the number after the first `count`; false if memory is short.
    bool append(std::size_t count, std::uint32_t value) {
        if ((value > mask_ && !widen(count, value)) || !region_.ensure((count + 1) * width_ + kSlack)) {
            return false;
        }
        put(count, value);
        return true;
    }

private:
    static constexpr std::size_t kSlack = sizeof(std::uint32_t); // reads go a little further than the number

    static std::uint32_t mask_of(std::size_t width) { return width == 4 ? ~0u : (1u << 8 * width) - 1; }
    void put(std::size_t i, std::uint32_t value) { std::memcpy(region_.data() + i * width_, &value, width_); }
    bool widen(std::size_t count, std::uint32_t value);

    Region region_;
    std::size_t width_ = 1;
    std::uint32_t mask_ = 0xff;
};

class PairSet {
public:
    static constexpr std::uint32_t kNone = ~0u;

    explicit PairSet(MemoryAccount& account);

    std::size_t size() const { return size_; }
    std::uint32_t first(std::uint32_t number) const { return first_.get(number); }
    std::uint32_t second(std::uint32_t number) const { return second_.get(number); }

    static std::uint64_t hash(std::uint32_t first, std::uint32_t second) {
        return finish_hash(first * kHashKey[0] + second * kHashKey[1]);
    }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots() + home(hash)); }
    // The number of a pair, or kNone.
    std::uint32_t find(std::uint32_t first, std::uint32_t second, std::uint64_t hash) const {
        return slots()[slot_of(first, second, hash)] == 0 ? kNone : found_;
    }
    // The number of a pair, new or not; kNone if memory is short.
    std::uint32_t insert(std::uint32_t first, std::uint32_t second, std::uint64_t hash, bool& fresh) {
        std::size_t slot = slot_of(first, second, hash);
        fresh = slots()[slot] == 0;
        if (!fresh) {
            return found_;
        }
        if (size_ >= threshold_) {
            if (!grow()) {
                return kNone;
            }
            slot = slot_of(first, second, hash);
        }
        if (size_ + 1 >= kNone || !first_.append(size_, first) || !second_.append(size_, second)) {
            return kNone;
        }
        set(slot, hash, static_cast<std::uint32_t>(size_));
        return static_cast<std::uint32_t>(size_++);
    }
    void clear();

private:
    std::uint32_t* slots() const { return reinterpret_cast<std::uint32_t*>(table_.data()); }
    std::size_t home(std::uint64_t hash) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(hash) * capacity_) >> 64);
    }
    // What the bits above a slot's number must be.
    std::uint32_t piece(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash) & ~number_mask_; }
    void set(std::size_t slot, std::uint64_t hash, std::uint32_t number) { slots()[slot] = piece(hash) | (number + 1); }
    // The slot of a pair, whose number is then `found_`, or the empty one where it belongs.
    std::size_t slot_of(std::uint32_t first, std::uint32_t second, std::uint64_t hash) const {
        for (std::size_t slot = home(hash);; slot = slot + 1 == capacity_ ? 0 : slot + 1) {
            const std::uint32_t entry = slots()[slot];
            if (entry == 0) {
                return slot;
            }
            if ((entry & ~number_mask_) == piece(hash)) {
                found_ = (entry & number_mask_) - 1;
                if (first_.get(found_) == first && second_.get(found_) == second) {
                    return slot;
                }
            }
        }
    }
    bool grow();
    bool take_table(std::size_t capacity);

    Region table_;
    ByteColumn first_, second_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t threshold_ = 0;
    std::uint32_t number_mask_ = 0;
    mutable std::uint32_t found_ = 0;
};

} // namespace beeline
