// A set of numbers of a few bytes that are spread as if by chance, such as pieces of hashes.
//
// A number's slot rises with its value, so that the table grows in place: from its end, one run of full slots after the
// other moves up.
#pragma once

#include "state/region.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace beeline {

class ScatteredSet {
public:
    // Numbers of 4 to 8 bytes; 0 is none of them.
    ScatteredSet(MemoryAccount& account, std::size_t bytes);

    enum class Added : std::uint8_t { kFresh, kKnown, kFull };

    Added add(std::uint64_t number) {
        std::size_t slot = find(number);
        if (get(slot) == number) {
            return Added::kKnown;
        }
        if (size_ >= threshold_ || slot + 1 >= slots()) {
            if (!grow()) {
                return Added::kFull;
            }
            slot = find(number);
        }
        put(slot, number);
        ++size_;
        return Added::kFresh;
    }
    bool contains(std::uint64_t number) const { return get(find(number)) == number; }
    void prefetch(std::uint64_t number) const { __builtin_prefetch(region_.data() + home(number) * bytes_); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bytes_; }
    std::uint64_t mask() const { return mask_; }
    void clear();

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t slot = 0; slot < slots(); ++slot) {
            if (get(slot) != 0) {
                visit(get(slot));
            }
        }
    }

private:
    static constexpr std::size_t kOverflow = 4096; // slots behind the last home, instead of going round

    std::size_t home(std::uint64_t number) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(number << (64 - 8 * bytes_)) * capacity_) >> 64);
    }
    std::size_t slots() const { return capacity_ + kOverflow; }
    std::uint64_t get(std::size_t slot) const { return word(slot) & mask_; }
    // What lies behind the slot is read and written along with it.
    std::uint64_t word(std::size_t slot) const {
        std::uint64_t value;
        std::memcpy(&value, region_.data() + slot * bytes_, sizeof value);
        return value;
    }
    void put(std::size_t slot, std::uint64_t number) {
        const std::uint64_t value = (word(slot) & ~mask_) | number;
        std::memcpy(region_.data() + slot * bytes_, &value, sizeof value);
    }
    // The slot of a number, or the empty one where it belongs; the last slot is always empty.
    std::size_t find(std::uint64_t number) const {
        std::size_t slot = home(number);
        for (std::uint64_t value = get(slot); value != 0 && value != number; value = get(slot)) {
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
