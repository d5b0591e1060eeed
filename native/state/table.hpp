// The slots of a hash set: 32 bits of fingerprint and 32 bits of index each.
//
// A state's home is a cache line; where that is full, the slots of the next one follow. Any number of lines is
// possible, not only powers of two, so that the last growth before the memory limit can take exactly what is left. The
// fingerprint tells the home as well, so that a table can grow where it is and without a look at states.
#pragma once

#include "state/cache_line.hpp"
#include "state/region.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace beeline {

class Table {
public:
    explicit Table(MemoryAccount& account) : region_(account) {}

    static constexpr std::size_t kSlotBytes = sizeof(std::uint64_t);
    static constexpr std::size_t kLineSlots = kLineBytes / kSlotBytes;

    // Forgets all entries and takes about `capacity` slots, never more; the old table is freed first so that the two
    // never coexist.
    bool reset(std::size_t capacity) {
        region_.release();
        lines_ = capacity / kLineSlots;
        const bool granted = lines_ > 0 && region_.ensure_exactly(lines_ * kLineBytes);
        lines_ = granted ? lines_ : 1;
        slots_ = granted ? reinterpret_cast<std::uint64_t*>(region_.data()) : none_;
        return granted;
    }
    void clear() { region_.zero(); }

    // Takes more slots and keeps all entries, which are moved `by` those who are there; false, with the table as it
    // was, if there is no memory or no address space behind it.
    template <class By>
    bool extend(std::size_t capacity, const By& by) {
        const std::size_t lines = capacity / kLineSlots;
        if (slots_ == none_ || lines <= lines_ || !region_.ensure_exactly(lines * kLineBytes)) {
            return false;
        }
        // Homes keep their order and none comes to lie before its old line. So the lines whose entries go behind all
        // that still wait are moved first, in any order.
        const std::size_t before = std::exchange(lines_, lines);
        const auto home_line = [&](std::size_t line) { return (line * lines + before - 1) / before; };
        Late late;
        for (std::size_t end = before; end > 0;) {
            const std::size_t first = (end * before + lines - 1) / lines;
            if (end - first < kFewLines) {
                move_few(end, late);
                break;
            }
            by(end - first, [&](std::size_t a, std::size_t b) {
                move_lines(first + a, first + b, home_line(first + a), home_line(first + b), late);
            });
            end = first;
        }
        for (const std::uint64_t entry : late.entries) {
            std::size_t slot = home_of(entry);
            while (!empty(slots_[slot])) {
                slot = next(slot);
            }
            slots_[slot] = entry;
        }
        return true;
    }

    std::size_t capacity() const { return lines_ * kLineSlots; }
    std::size_t bytes() const { return region_.committed(); }

    // The first slot of a state's line. The slots from there on are looked at in their order, up to a free one.
    std::size_t home(std::uint64_t hash) const { return home_of(std::uint64_t{fingerprint(hash)} << 32); }
    std::size_t next(std::size_t slot) const { return ++slot == capacity() ? 0 : slot; }
    std::size_t next_line(std::size_t slot) const { return slot + kLineSlots == capacity() ? 0 : slot + kLineSlots; }
    std::uint64_t entry(std::size_t slot) const { return slots_[slot]; }
    void set(std::size_t slot, std::uint64_t hash, std::uint32_t index) { slots_[slot] = entry_of(hash, index); }
    // A slot that several threads may write.
    std::atomic_ref<std::uint64_t> shared(std::size_t slot) { return std::atomic_ref(slots_[slot]); }
    void prefetch(std::uint64_t hash) const { prefetch_line(home(hash)); }
    void prefetch_line(std::size_t slot) const { __builtin_prefetch(slots_ + slot); }

    // Slots of the line that begins at `slot`.
    class LineSlots {
    public:
        LineSlots(std::size_t slot, std::uint32_t bits) : slot_(slot), bits_(bits) {}
        bool any() const { return bits_ != 0; }
        std::size_t first() const { return slot_ + static_cast<std::size_t>(std::countr_zero(bits_)) / 2; }
        void drop_first() { bits_ &= bits_ - 1; }

    private:
        std::size_t slot_;
        std::uint32_t bits_; // two for each slot, of which one may be set
    };
    LineSlots matching(std::size_t slot, std::uint64_t hash) const {
        return {slot, equal_in_line(line(slot), fingerprint(hash)) & kFingerprints};
    }
    LineSlots free(std::size_t slot) const { return {slot, equal_in_line(line(slot), 0) & kIndices}; }
    // The same while several threads write, and those that match or are free. An entry is written once, so that each
    // half of it is seen as zero or as it is; what was zero is to be looked at again.
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
    LineSlots shared_matching(std::size_t slot, std::uint64_t hash) { return matching(slot, hash); }
    LineSlots shared_free(std::size_t slot) { return free(slot); }
    LineSlots shared_candidates(std::size_t slot, std::uint64_t hash) {
        const std::uint32_t zero = equal_in_line(line(slot), 0);
        const std::uint32_t same = equal_in_line(line(slot), fingerprint(hash));
        return {slot, (zero | zero >> 1 | same >> 1) & kIndices};
    }
#else
    LineSlots shared_matching(std::size_t slot, std::uint64_t hash) {
        return shared_slots(slot, [hash](std::uint64_t entry) { return matches(entry, hash); });
    }
    LineSlots shared_free(std::size_t slot) { return shared_slots(slot, empty); }
    LineSlots shared_candidates(std::size_t slot, std::uint64_t hash) {
        return shared_slots(slot, [hash](std::uint64_t entry) { return matches(entry, hash) || empty(entry); });
    }
#endif

    static std::uint64_t entry_of(std::uint64_t hash, std::uint32_t index) {
        return std::uint64_t{fingerprint(hash)} << 32 | (index + 1);
    }
    static bool empty(std::uint64_t entry) { return entry == 0; }
    static bool matches(std::uint64_t entry, std::uint64_t hash) { return entry >> 32 == fingerprint(hash); }
    static std::uint32_t index(std::uint64_t entry) { return static_cast<std::uint32_t>(entry) - 1; }

private:
    static_assert(std::endian::native == std::endian::little);
    static constexpr std::size_t kFewLines = 1024;                            // not worth sharing out
    static constexpr std::uint32_t kIndices = 0x5555, kFingerprints = 0xaaaa; // of the numbers of a line

    // None is zero, so that no empty slot matches.
    static std::uint32_t fingerprint(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1; }
    // Fingerprints in their order are spread over the lines in theirs.
    std::size_t home_of(std::uint64_t entry) const {
        return static_cast<std::size_t>((entry >> 32) * lines_ >> 32) * kLineSlots;
    }
    // Entries that must wait: their place is another thread's, or beyond the end, or others wait there themselves.
    struct Late {
        std::mutex mutex;
        std::vector<std::uint64_t> entries;
    };
    // Moves the entries of some lines to others, which are empty and not theirs.
    void move_lines(std::size_t first, std::size_t end, std::size_t target, std::size_t target_end, Late& late) {
        std::vector<std::uint64_t> left;
        for (std::size_t line = end; line-- > first;) {
            move_line(line, target, target_end, left);
        }
        const std::lock_guard lock(late.mutex);
        late.entries.insert(late.entries.end(), left.begin(), left.end());
    }
    // Moves the first lines, from their end on.
    void move_few(std::size_t end, Late& late) {
        for (std::size_t line = end; line-- > 0;) {
            move_line(line, line, lines_, late.entries);
        }
    }
    void move_line(std::size_t line, std::size_t target, std::size_t target_end, std::vector<std::uint64_t>& late) {
        std::array<std::uint64_t, kLineSlots> entries;
        std::copy_n(slots_ + line * kLineSlots, kLineSlots, entries.data());
        std::fill_n(slots_ + line * kLineSlots, kLineSlots, 0);
        for (const std::uint64_t entry : entries) {
            if (!empty(entry) && !move(entry, target * kLineSlots, target_end * kLineSlots)) {
                late.push_back(entry);
            }
        }
    }
    // Puts an entry between two slots; false if it cannot be done now.
    bool move(std::uint64_t entry, std::size_t first, std::size_t end) {
        std::size_t slot = home_of(entry);
        if (slot < first) {
            return false;
        }
        while (slot < end && !empty(slots_[slot])) {
            ++slot;
        }
        if (slot >= end) {
            return false;
        }
        slots_[slot] = entry;
        return true;
    }
    template <class Holds>
    LineSlots shared_slots(std::size_t slot, const Holds& holds) {
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < kLineSlots; ++i) {
            const std::uint64_t entry = shared(slot + i).load(std::memory_order_acquire);
            bits |= static_cast<std::uint32_t>(holds(entry)) << (2 * i);
        }
        return {slot, bits};
    }
    const std::byte* line(std::size_t slot) const { return reinterpret_cast<const std::byte*>(slots_ + slot); }

    Region region_;
    // The empty line of a table that was refused its memory: lookups find nothing.
    alignas(kLineBytes) std::uint64_t none_[kLineSlots] = {};
    std::uint64_t* slots_ = none_;
    std::size_t lines_ = 1;
};

} // namespace beeline
