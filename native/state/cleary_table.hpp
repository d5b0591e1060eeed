// A set of numbers of some bits that are spread as if by chance, such as pieces of hashes.
//
// A number's home is a cache line, which rises with its value; where that is full, the number lies in one of the next.
// So the table grows in place: from its end, one run of full lines after the other moves up. And the home tells the
// upper bits of a number (after Cleary, 1984): a slot keeps the lower ones, and how far from home it is.
#pragma once

#include "state/cache_line.hpp"
#include "state/region.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace beeline {

class ClearyTable {
public:
    // Numbers of 16 to 64 bits. There is room for so many at once.
    ClearyTable(MemoryAccount& account, unsigned bits, std::size_t expected = 0);

    enum class Added : std::uint8_t { kFresh, kKnown, kFull };

    Added add(std::uint64_t number) {
        Place place = find(number);
        if (place.is_known) {
            return Added::kKnown;
        }
        while (size_ >= threshold_ || place.is_far()) {
            if (!grow()) {
                return Added::kFull;
            }
            place = find(number);
        }
        put(place);
        ++size_;
        return Added::kFresh;
    }
    bool contains(std::uint64_t number) const { return find(number).is_known; }
    void prefetch(std::uint64_t number) const { __builtin_prefetch(line(home(number))); }
    std::size_t size() const { return size_; }
    unsigned bits() const { return bits_; }
    std::uint64_t largest() const { return ~std::uint64_t{0} >> (64 - bits_); }
    void clear();

    // The bytes of a slot for numbers of so many bits where there is room for so many of them.
    static std::size_t bytes_for(unsigned bits, std::size_t expected);

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t i = 0; i < lines_ + kFar; ++i) {
            for_each_in(i, lines_, visit);
        }
    }

private:
    // A slot is a head of four bytes and a tail of some more; the heads of a line lie together, and then the tails.
    static constexpr std::size_t kHeadBytes = sizeof(std::uint32_t);
    static constexpr unsigned kDistanceBits = 4;
    static constexpr std::size_t kFar = 15; // lines behind the last home: no number lies so far from its own

    // Where a number is, or where it belongs. The lowest bits of a slot are its distance from home in lines, and one,
    // so that no full slot has a head of zero.
    struct Place {
        std::byte* line;
        std::uint32_t slot;
        std::uint64_t kept;
        bool is_known;
        bool is_far() const { return (kept & kFar) == kFar; }
    };

    static std::size_t slots_of(std::size_t bytes) { return kLineBytes / bytes; } // of a line
    static std::size_t lines_for(std::size_t bytes, std::size_t expected);
    std::byte* line(std::size_t i) const { return region_.data() + i * kLineBytes; }
    std::size_t home(std::uint64_t number) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(number << (64 - bits_)) * lines_) >> 64);
    }
    // Full slots are the first ones of a line.
    std::uint32_t free_slots(const std::byte* line) const { return equal_in_line(line, 0) & all_; }
    std::uint32_t slots_taken(const std::byte* line) const {
        return static_cast<std::uint32_t>(std::countr_zero(free_slots(line) | ~all_));
    }
    std::uint32_t tail(const std::byte* line, std::uint32_t slot) const {
        std::uint32_t bytes;
        std::memcpy(&bytes, line + slots_ * kHeadBytes + slot * tail_bytes_, sizeof bytes);
        return bytes & tail_mask_;
    }
    bool is_in(const std::byte* line, std::uint64_t kept) const {
        std::uint32_t equal = equal_in_line(line, static_cast<std::uint32_t>(kept)) & all_;
        if (tail_bytes_ == 0) {
            return equal != 0;
        }
        for (; equal != 0; equal &= equal - 1) {
            if (tail(line, static_cast<std::uint32_t>(std::countr_zero(equal))) == kept >> 32) {
                return true;
            }
        }
        return false;
    }
    Place find(std::uint64_t number) const {
        std::byte* place = line(home(number));
        for (std::uint64_t kept = (number << kDistanceBits | 1) & mask_;; ++kept, place += kLineBytes) {
            if (is_in(place, kept)) {
                return {place, 0, kept, true};
            }
            const std::uint32_t free = free_slots(place);
            if (free != 0 || (kept & kFar) == kFar) {
                return {place, static_cast<std::uint32_t>(std::countr_zero(free)), kept, false};
            }
        }
    }
    void put(const Place& place) {
        const auto head = static_cast<std::uint32_t>(place.kept);
        std::memcpy(place.line + place.slot * kHeadBytes, &head, sizeof head);
        if (tail_bytes_ != 0) {
            std::byte* const at = place.line + slots_ * kHeadBytes + place.slot * tail_bytes_;
            std::uint32_t bytes; // what lies behind the tail is read and written along with it
            std::memcpy(&bytes, at, sizeof bytes);
            bytes = (bytes & ~tail_mask_) | static_cast<std::uint32_t>(place.kept >> 32);
            std::memcpy(at, &bytes, sizeof bytes);
        }
    }
    // The largest number with a home in a table of so many lines.
    std::uint64_t last_of(std::size_t home, std::size_t lines) const;
    // The numbers in a line of a table with so many homes.
    template <class Visit>
    void for_each_in(std::size_t i, std::size_t lines, Visit&& visit) const {
        const std::byte* const place = line(i);
        std::size_t known_home = lines; // of which `last` is the last number
        std::uint64_t last = 0;
        const std::uint32_t full = slots_taken(place);
        for (std::uint32_t slot = 0; slot < full; ++slot) {
            std::uint32_t head;
            std::memcpy(&head, place + slot * kHeadBytes, sizeof head);
            const std::uint64_t kept = head | std::uint64_t{tail_bytes_ == 0 ? 0 : tail(place, slot)} << 32;
            const std::size_t home = i + 1 - (kept & kFar);
            if (home != known_home) {
                known_home = home;
                last = last_of(home, lines);
            }
            visit(last - ((last - (kept >> kDistanceBits)) & (mask_ >> kDistanceBits)));
        }
    }
    bool take(std::size_t lines);
    bool grow();
    void move_run(std::size_t begin, std::size_t end, std::size_t before);

    Region region_;
    unsigned bits_;
    std::size_t tail_bytes_; // 0 to 4
    std::size_t slots_;      // of a line,
    std::uint32_t all_;      // and a bit for each
    std::uint32_t tail_mask_;
    std::uint64_t mask_;    // of a slot
    std::size_t lines_ = 0; // homes
    std::size_t size_ = 0;
    std::size_t threshold_ = 0;
    std::vector<std::uint64_t> moved_;
};

} // namespace beeline
