// A store that several threads fill at the same time, without locks on the way of a lookup: slots of the table are
// taken by compare-and-swap, after the record that they point to has been written (after Laarman, van de Pol and Weber,
// "Boosting multi-core reachability performance with shared hash tables", 2010).
//
// Threads only insert; each takes stretches of free indices for itself. All else (growing, changing the layout, closing
// the holes that stretches leave) happens between two rounds, when no thread inserts.
#pragma once

#include "state/store.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace beeline {

// Where a state of the layer under construction comes from: the rank of its origin in the layer before, the position of
// the arc there, and what the arc's marks say of the state. Smaller is earlier in breadth-first order.
class Origin {
public:
    static constexpr std::uint32_t kMostPositions = 1u << 30;

    Origin() = default;
    explicit Origin(std::uint64_t bits) : bits_(bits) {}
    // Of searches that know no layers: as a store for one thread keeps it.
    static Origin of_arc(Index parent, std::uint32_t action) { return Origin(std::uint64_t{action} << 32 | parent); }
    Origin(std::uint32_t rank, std::uint32_t position, std::uint32_t marks)
        : bits_(std::uint64_t{rank} << 32 | position << 2 | ((marks & kGoal) != 0 ? 1u : 0u) |
                ((marks & kTransient) != 0 ? 2u : 0u)) {}

    std::uint64_t bits() const { return bits_; }
    std::uint32_t rank() const { return static_cast<std::uint32_t>(bits_ >> 32); }
    std::uint32_t position() const { return static_cast<std::uint32_t>(bits_) >> 2; }
    bool is_goal() const { return (bits_ & 1) != 0; }
    bool is_transient() const { return (bits_ & 2) != 0; }
    bool is_before(Origin other) const { return bits_ >> 2 < other.bits_ >> 2; }

private:
    std::uint64_t bits_ = 0;
};

class SharedStore : public Store {
public:
    SharedStore(std::size_t words, MemoryAccount& account, std::size_t max_states = kNoIndex,
                std::size_t side_bytes = 0)
        : Store(words, account, max_states, side_bytes, true) {}

    // Free indices that belong to one thread.
    struct Room {
        std::size_t next = 0, end = 0;
    };
    // What one thread has in a layer: its part of the table; the number of states whose origins it set; and the ranks
    // of the origins that it replaced by earlier ones.
    struct Part {
        Room room;
        std::size_t gained = 0;
        std::vector<std::uint32_t> replaced;
    };

    // States from here on belong to the layer under construction.
    void open_layer() { layer_ = size_; }
    // There are no layers: the first origin of a state is kept.
    void ignore_layers() { layer_ = std::numeric_limits<std::size_t>::max(); }
    std::size_t layer() const { return layer_; }

    // By any of the threads. The earliest origin of a state of the new layer is kept. `likely` is what `likely_shared`
    // told in the same round. kFull: a round must end, and `make_room_for` be asked.
    Insertion insert_shared(const Word* words, std::uint64_t hash, Origin origin, Part& part, Index likely = kNoIndex) {
        if (is(likely, words)) {
            know(likely, origin, part);
            return {Insert::kKnown, likely};
        }
        Room& room = part.room;
        bool written = false;
        for (std::size_t line = table_.home(hash);; line = table_.next_line(line)) {
            for (Table::LineSlots slots = table_.shared_candidates(line, hash); slots.any(); slots.drop_first()) {
                const std::atomic_ref<std::uint64_t> place = table_.shared(slots.first());
                std::uint64_t entry = place.load(std::memory_order_acquire);
                if (Table::empty(entry)) {
                    if (room.next == room.end && !take_room(room)) {
                        return {Insert::kFull, kNoIndex};
                    }
                    if (!written) {
                        write(static_cast<Index>(room.next), words, origin);
                        written = true;
                    }
                    if (place.compare_exchange_strong(entry, Table::entry_of(hash, static_cast<Index>(room.next)),
                                                      std::memory_order_acq_rel, std::memory_order_acquire)) {
                        const auto fresh = static_cast<Index>(room.next++);
                        ++part.gained;
                        // A slot is only taken once the record is written, so that it should be in the cache by then.
                        __builtin_prefetch(record(static_cast<Index>(room.next + kWriteAhead)), 1);
                        return {Insert::kFresh, fresh};
                    }
                }
                if (Table::matches(entry, hash) && equal(Table::index(entry), words)) {
                    know(Table::index(entry), origin, part);
                    return {Insert::kKnown, Table::index(entry)};
                }
            }
        }
    }
    // From its first to its last line of the cache: states of a layer are not asked for in the order in which they lie.
    void prefetch_state(Index index) const {
        __builtin_prefetch(record(index));
        __builtin_prefetch(record(index) + stride_ - 1);
    }
    // As `likely`, while others insert.
    Index likely_shared(std::uint64_t hash) {
        const std::size_t line = table_.home(hash);
        const Table::LineSlots slots = table_.shared_matching(line, hash);
        const std::uint64_t entry = slots.any() ? table_.shared(slots.first()).load(std::memory_order_acquire) : 0;
        if (Table::empty(entry)) {
            if (!table_.shared_free(line).any()) {
                table_.prefetch_line(table_.next_line(line));
            }
            return kNoIndex;
        }
        prefetch_state(Table::index(entry));
        return Table::index(entry);
    }

    // Between rounds:

    // Takes back the free indices of all threads: the last states move into the holes. Calls moved(from, to).
    template <class Moved>
    void close_holes(std::vector<Room> rooms, const Moved& moved) {
        std::sort(rooms.begin(), rooms.end(), [](const Room& a, const Room& b) { return a.next > b.next; });
        for (const Room& room : rooms) {
            for (std::size_t hole = room.end; hole-- > room.next;) {
                if (hole + 1 != size_) {
                    moved(static_cast<Index>(size_ - 1), static_cast<Index>(hole));
                    move_last_to(static_cast<Index>(hole));
                }
                --size_;
            }
        }
    }
    void close_holes(std::vector<Room> rooms) {
        close_holes(std::move(rooms), [](Index, Index) {});
    }
    // Leaves them to the threads, because states must not move: until this is called again, what lies there is like the
    // first state, so that it can be looked at and converted, but no slot of the table leads there.
    void keep_holes(std::vector<Room> rooms);
    // The number of states beyond which a round must end.
    std::size_t room() const { return threshold_; }
    Origin origin(Index index) const {
        std::uint64_t bits;
        std::memcpy(&bits, record(index), sizeof bits);
        return Origin(bits);
    }
    // Forgets the layer under construction.
    void drop_layer();
    // Room for a stretch for each of so many threads, or at least for one more state; false if there is none.
    template <class By>
    bool make_room_for(std::size_t threads, const By& by) {
        if (at_state_limit()) {
            return false;
        }
        if (size_ + threads * kStretch > threshold_) {
            const Growth growth = next_growth();
            if (growth.capacity != table_.capacity() && !table_.extend(growth.capacity, by)) {
                rebuild(growth.capacity, by);
            }
            set_threshold(growth.load);
        }
        return size_ < threshold_ && grow_arena();
    }
    // As that of a store for one thread.
    template <class Convert, class By>
    bool repack(std::size_t words, bool same_hashes, const Convert& convert, const By& by) {
        if (!convert_records(words, convert, by)) {
            return false;
        }
        if (!same_hashes) {
            rebuild(table_.capacity(), by);
        }
        return true;
    }

private:
    static constexpr std::size_t kStretch = 64;
    static constexpr std::size_t kPopulate = std::size_t{1} << 21; // one large page at a time
    static constexpr std::size_t kWriteAhead = 4;                  // records

    std::atomic_ref<std::uint64_t> shared_origin(Index index) const {
        return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(record(index)));
    }
    void know(Index index, Origin origin, Part& part) {
        if (index >= layer_) {
            note_origin(index, origin, part);
        }
    }
    // To be published by the slot that will point to it.
    void write(Index index, const Word* words, Origin origin) {
        shared_origin(index).store(origin.bits(), std::memory_order_relaxed);
        std::memcpy(record(index) + kHeader, words, words_ * sizeof(Word));
    }
    void note_origin(Index index, Origin origin, Part& part) {
        const std::atomic_ref<std::uint64_t> place = shared_origin(index);
        std::uint64_t known = place.load(std::memory_order_relaxed);
        while (origin.bits() < known) {
            if (place.compare_exchange_weak(known, origin.bits(), std::memory_order_relaxed)) {
                part.replaced.push_back(Origin(known).rank());
                ++part.gained;
                return;
            }
        }
    }
    bool take_room(Room& room);
    template <class By>
    void rebuild(std::size_t capacity, const By& by) {
        take_table(capacity);
        by(size_, [this](std::size_t first, std::size_t end) { put_shared(first, end); });
    }
    void put_shared(std::size_t first, std::size_t end);
    bool is_hole(Index index) const;
    void move_last_to(Index index);

    std::mutex mutex_;          // of `size_`, the arena's growth and the memory account during a round
    std::size_t populated_ = 0; // bytes of the arena
    std::size_t layer_ = 0;
    std::vector<Room> holes_; // that are kept
};

} // namespace beeline
