// A set of pairs of 32-bit numbers in a few bytes each: every pair has the number of its insertion.
//
// Pairs lie in a column as wide as the largest of them needs. A slot of the table is 32 bits: the pair's number, and
// in the bits left over a piece of its hash that saves most looks at the column.
#pragma once

#include "state/hash.hpp"
#include "state/region.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace beeline {

// Pairs of numbers of one to four bytes, side by side; the widths grow with the largest numbers.
class PairColumn {
public:
    explicit PairColumn(MemoryAccount& account) : region_(account) {}

    std::uint32_t first(std::size_t i) const { return load(i * stride_) & first_.mask; }
    std::uint32_t second(std::size_t i) const { return load(i * stride_ + first_.width) & second_.mask; }
    bool is(std::size_t i, std::uint32_t first, std::uint32_t second) const {
        return this->first(i) == first && this->second(i) == second;
    }
    // Writes the pair after the first `count`; false if memory is short.
    bool append(std::size_t count, std::uint32_t first, std::uint32_t second) {
        if (((first > first_.mask || second > second_.mask) && !widen(count, first, second)) ||
            !region_.ensure((count + 1) * stride_ + kSlack)) {
            return false;
        }
        put(count, first, second);
        return true;
    }

private:
    static constexpr std::size_t kSlack = sizeof(std::uint32_t); // reads go a little further than the number

    struct Width {
        std::size_t width = 1;
        std::uint32_t mask = 0xff;

        Width for_number(std::uint32_t number) const;
    };
    std::uint32_t load(std::size_t place) const {
        std::uint32_t value;
        std::memcpy(&value, region_.data() + place, sizeof value);
        return value;
    }
    void put(std::size_t i, std::uint32_t first, std::uint32_t second) {
        std::memcpy(region_.data() + i * stride_, &first, first_.width);
        std::memcpy(region_.data() + i * stride_ + first_.width, &second, second_.width);
    }
    bool widen(std::size_t count, std::uint32_t first, std::uint32_t second);

    Region region_;
    Width first_, second_;
    std::size_t stride_ = 2;
};

class PairSet {
public:
    static constexpr std::uint32_t kNone = ~0u;

    explicit PairSet(MemoryAccount& account);

    std::size_t size() const { return size_; }
    std::uint32_t first(std::uint32_t number) const { return pairs_.first(number); }
    std::uint32_t second(std::uint32_t number) const { return pairs_.second(number); }

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
        if (size_ + 1 >= kNone || !pairs_.append(size_, first, second)) {
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
                if (pairs_.is(found_, first, second)) {
                    return slot;
                }
            }
        }
    }
    bool grow();
    bool take_table(std::size_t capacity);

    Region table_;
    PairColumn pairs_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t threshold_ = 0;
    std::uint32_t number_mask_ = 0;
    mutable std::uint32_t found_ = 0;
};

} // namespace beeline
