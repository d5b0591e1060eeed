// The slots of a hash set: 32 bits of fingerprint and 32 bits of index each, probed linearly.
//
// Any capacity is possible, not only powers of two, so that the last growth before the memory limit can take exactly
// what is left. The table knows no states: whoever grows it inserts the indices again.
#pragma once

#include "state/region.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace beeline {

class Table {
public:
    explicit Table(MemoryAccount& account) : region_(account) {}

    static constexpr std::size_t kSlotBytes = sizeof(std::uint64_t);

    // Forgets all entries and takes `capacity` slots; the old table is freed first so that the two never coexist.
    bool reset(std::size_t capacity) {
        region_.release();
        const bool granted = region_.ensure_exactly(capacity * kSlotBytes);
        capacity_ = granted ? capacity : 1;
        slots_ = granted ? reinterpret_cast<std::uint64_t*>(region_.data()) : &none_;
        return granted;
    }
    void clear() { region_.zero(); }

    std::size_t capacity() const { return capacity_; }
    std::size_t bytes() const { return region_.committed(); }

    std::size_t home(std::uint64_t hash) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(hash) * capacity_) >> 64);
    }
    std::size_t next(std::size_t slot) const { return ++slot == capacity_ ? 0 : slot; }
    std::uint64_t entry(std::size_t slot) const { return slots_[slot]; }
    void set(std::size_t slot, std::uint64_t hash, std::uint32_t index) { slots_[slot] = entry_of(hash, index); }
    // A slot that several threads may write.
    std::atomic_ref<std::uint64_t> shared(std::size_t slot) { return std::atomic_ref(slots_[slot]); }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots_ + home(hash)); }

    static std::uint64_t entry_of(std::uint64_t hash, std::uint32_t index) { return (hash << 32) | (index + 1); }
    static bool empty(std::uint64_t entry) { return entry == 0; }
    static bool matches(std::uint64_t entry, std::uint64_t hash) {
        return (entry >> 32) == (hash & 0xffffffffu); // the slot comes from the hash's other end
    }
    static std::uint32_t index(std::uint64_t entry) { return static_cast<std::uint32_t>(entry) - 1; }

private:
    Region region_;
    std::uint64_t none_ = 0; // the one empty slot of a table that was refused its memory: lookups find nothing
    std::uint64_t* slots_ = &none_;
    std::size_t capacity_ = 1;
};

} // namespace beeline
