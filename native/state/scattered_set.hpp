// A set of numbers of some bits that are spread as if by chance, such as pieces of hashes.
//
// A number's slot rises with its value. So the table grows in place: from its end, one run of full slots after the
// other moves up. And the place of a number tells its upper bits as far as it is not too far from home (after Cleary,
// 1984): where that saves bytes, only the lower bits are kept, and a mark that the slot is full.
#pragma once

#include "state/region.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace beeline {

class ScatteredSet {
public:
    // Numbers of 16 to 64 bits; 0 is none of them. There is room for so many at once.
    ScatteredSet(MemoryAccount& account, unsigned bits, std::size_t expected = 0);

    enum class Added : std::uint8_t { kFresh, kKnown, kFull };

    Added add(std::uint64_t number) {
        std::size_t slot = find(number);
        if (is_near(slot, number) && get(slot) != 0) {
            return Added::kKnown;
        }
        if (size_ >= threshold_ || !is_near(slot, number) || slot + 1 >= slots()) {
            if (!grow()) {
                return Added::kFull;
            }
            slot = find(number);
        }
        put(slot, kept(number));
        ++size_;
        return Added::kFresh;
    }
    bool contains(std::uint64_t number) const {
        const std::size_t slot = find(number);
        return is_near(slot, number) && get(slot) != 0;
    }
    void prefetch(std::uint64_t number) const { __builtin_prefetch(region_.data() + home(number) * bytes_); }
    std::size_t size() const { return size_; }
    unsigned bits() const { return bits_; }
    std::uint64_t largest() const { return ~std::uint64_t{0} >> (64 - bits_); }
    void clear();

    // The bytes of a slot for numbers of so many bits where there is room for so many of them.
    static std::size_t bytes_for(unsigned bits, std::size_t expected);

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t slot = 0; slot < slots(); ++slot) {
            if (get(slot) != 0) {
                visit(number_at(slot, capacity_));
            }
        }
    }

private:
    static constexpr std::size_t kOverflow = 4096; // slots behind the last home; no number is further from its own

    std::size_t home(std::uint64_t number) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(number << (64 - bits_)) * capacity_) >> 64);
    }
    bool is_near(std::size_t slot, std::uint64_t number) const { return slot - home(number) < kOverflow; }
    std::size_t slots() const { return capacity_ + kOverflow; }
    std::uint64_t get(std::size_t slot) const { return word(slot) & mask_; }
    // What lies behind the slot is read and written along with it.
    std::uint64_t word(std::size_t slot) const {
        std::uint64_t value;
        std::memcpy(&value, region_.data() + slot * bytes_, sizeof value);
        return value;
    }
    void put(std::size_t slot, std::uint64_t kept) {
        const std::uint64_t value = (word(slot) & ~mask_) | kept;
        std::memcpy(region_.data() + slot * bytes_, &value, sizeof value);
    }
    std::uint64_t kept(std::uint64_t number) const { return (number & low_) | full_; }
    // The number in a slot of a table with so many homes.
    std::uint64_t number_at(std::size_t slot, std::size_t capacity) const;
    // The slot of a number, or the empty one where it belongs; the last slot is always empty.
    std::size_t find(std::uint64_t number) const {
        std::size_t slot = home(number);
        const std::uint64_t wanted = kept(number);
        for (std::uint64_t value = get(slot); value != 0 && value != wanted; value = get(slot)) {
            ++slot;
        }
        return slot;
    }
    static std::size_t capacity_for(std::size_t expected);
    bool take(std::size_t capacity);
    bool grow();

    Region region_;
    unsigned bits_;
    std::size_t bytes_;
    std::uint64_t mask_;       // of a slot
    std::uint64_t low_;        // the bits that are kept
    std::uint64_t full_;       // the mark of a full slot; none where all bits are kept
    std::size_t capacity_ = 0; // homes
    std::size_t size_ = 0;
    std::size_t threshold_ = 0;
};

} // namespace beeline
