// The set of states that a search has seen: a hash table over an arena of records.
//
// A record is [parent, action, words...]: what is written together lies together. Its index is the order of insertion.
// Built for batches: hash many states, `prefetch` their slots, `prefetch_record` their likely twins, then `insert`.
#pragma once

#include "state/hash.hpp"
#include "state/parts.hpp"
#include "state/region.hpp"
#include "state/successors.hpp"
#include "state/table.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

using Index = std::uint32_t;
inline constexpr Index kNoIndex = std::numeric_limits<Index>::max();
// States are numbered from 0 by 32 bits; some numbers stand for none. A store refuses more states than this, and the
// search then ends as at a limit of states: the answer is unknown, and no number overflows.
inline constexpr std::size_t kMostStates = kNoIndex - 2;

enum class Insert : std::uint8_t { kFresh, kKnown, kFull };

struct Insertion {
    Insert result;
    Index index; // meaningless if kFull
};

// What a search asks of a store. A store that merges states (zones that cover others) has the same face: there a state
// may stop being alive after it was inserted, and is then not worth expanding.
template <class T>
concept StateStore = requires(T store, const T& view, const Word* words, Index index, std::uint64_t hash) {
    { view.size() } -> std::convertible_to<std::size_t>;
    { view.words() } -> std::convertible_to<std::size_t>;
    { view.alive(index) } -> std::same_as<bool>;
    { view.state(index) } -> std::same_as<const Word*>;
    { view.parent(index) } -> std::same_as<Index>;
    { view.action(index) } -> std::same_as<std::uint32_t>;
    { view.hash(words) } -> std::same_as<std::uint64_t>;
    { view.find(words, hash) } -> std::same_as<Index>;
    { store.insert(words, hash, index, std::uint32_t{}) } -> std::same_as<Insertion>;
    view.prefetch(hash);
    view.prefetch_record(hash);
    store.set_origin(index, index, std::uint32_t{});
    store.clear();
};

// Keeps indices for states that later ones covered: how many such states there are, and a way in for a state that is
// covered but was reached on a shorter way.
template <class T>
concept CoveringStateStore = StateStore<T> && requires(T store, const T& view, const Word* words, Index index) {
    { view.replaced() } -> std::convertible_to<std::uint64_t>;
    { store.insert_beside(words, std::uint64_t{}, index, std::uint32_t{}) } -> std::same_as<Insertion>;
};

// May take a new state for a known one, with this probability.
template <class T>
concept OmittingStore = StateStore<T> && requires(const T& view) {
    { view.omission() } -> std::convertible_to<double>;
};

// Keeps no states for the way back to an initial one, but the positions of arcs.
template <class T>
concept ArcStore = StateStore<T> && requires(const T& view) { view.way_back(); };

// Tells states apart by hash_words of all their words, which a space may know already.
template <class T>
concept PlainHashStore = StateStore<T> && requires { requires T::kPlainHashes; };

// Can tell early which stored state is likely to be equal, so that it is in the cache when it is compared.
template <class T>
concept GuessingStore = StateStore<T> && requires(const T& view, Index index, const Word* words) {
    { view.likely(std::uint64_t{}) } -> std::same_as<Index>;
    { view.is(index, words) } -> std::same_as<bool>;
};

// Compares targets with their origin: must be shown all arcs of a state before they are inserted.
template <class T>
concept BySourceStore = StateStore<T> && requires(T store, SuccessorBuffer& arcs) {
    store.note_arcs(arcs, /*first=*/std::size_t{});
    store.hash_noted(arcs);
};

// Hands out all states in an order of its own, and needs to know where units lie in a new layout.
template <class T>
concept ReshapingStore = StateStore<T> && requires(const T& view) { view.all_states(); };

// Can convert its states in parts, which `by` (see state/parts.hpp) may give to several threads.
template <class T>
concept ParallelStore = StateStore<T> && requires(T store, void (*convert)(const Word*, Word*), ByOne by) {
    { store.repack(/*words=*/std::size_t{}, /*same_hashes=*/true, convert, by) } -> std::same_as<bool>;
};

// Can give its states another layout of words during a search.
template <class T>
concept RepackableStore =
    ParallelStore<T> || ReshapingStore<T> || (StateStore<T> && requires(T store, void (*convert)(const Word*, Word*)) {
        { store.repack(/*words=*/std::size_t{}, /*same_hashes=*/true, convert) } -> std::same_as<bool>;
    });

class Store {
public:
    static constexpr bool kPlainHashes = true;

    // `side_bytes` is what the search keeps per state elsewhere, so that the last growth leaves room for it. With
    // `even`, records have an even number of words: their first two are then one aligned number.
    Store(std::size_t words, MemoryAccount& account, std::size_t max_states = kNoIndex, std::size_t side_bytes = 0,
          bool even = false);

    std::size_t size() const { return size_; }
    std::size_t words() const { return words_; }
    bool alive(Index) const { return true; }
    const Word* state(Index index) const { return record(index) + kHeader; }
    Index parent(Index index) const { return record(index)[0]; }
    std::uint32_t action(Index index) const { return record(index)[1]; }
    void set_origin(Index index, Index parent, std::uint32_t action) {
        record(index)[0] = parent;
        record(index)[1] = action;
    }

    std::uint64_t hash(const Word* words) const { return hash_words(words, words_); }
    void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
    // The state that a lookup will compare with first, on the way to the cache; kNoIndex if there seems to be none.
    Index likely(std::uint64_t hash) const {
        const std::size_t line = table_.home(hash);
        const Table::LineSlots slots = table_.matching(line, hash);
        if (!slots.any()) {
            if (!table_.free(line).any()) {
                table_.prefetch_line(table_.next_line(line));
            }
            return kNoIndex;
        }
        const Index index = Table::index(table_.entry(slots.first()));
        __builtin_prefetch(record(index));
        return index;
    }
    void prefetch_record(std::uint64_t hash) const { likely(hash); }
    // Whether a state is the one that `likely` told.
    bool is(Index likely, const Word* words) const { return likely != kNoIndex && equal(likely, words); }

    // The index of an equal state, or kNoIndex.
    Index find(const Word* words, std::uint64_t hash) const {
        std::size_t line = table_.home(hash);
        return find_from(line, words, hash);
    }

    Insertion insert(const Word* words, std::uint64_t hash, Index parent, std::uint32_t action) {
        std::size_t line = table_.home(hash);
        if (const Index known = find_from(line, words, hash); known != kNoIndex) {
            return {Insert::kKnown, known};
        }
        std::size_t slot = table_.free(line).first();
        if (size_ >= threshold_ || (size_ + 1) * stride_ > arena_words_) {
            if (!make_room()) {
                return {Insert::kFull, kNoIndex};
            }
            slot = free_slot(hash);
        }
        return {Insert::kFresh, append(words, hash, slot, parent, action)};
    }

    // Gives every state another number of words: `convert(from, to)` writes the new ones. `same_hashes` tells
    // that the table can stay. False if memory is short; the store is then as it was.
    template <class Convert>
    bool repack(std::size_t words, bool same_hashes, const Convert& convert) {
        if (!convert_records(words, convert, ByOne{})) {
            return false;
        }
        if (!same_hashes) {
            rebuild(table_.capacity());
        }
        return true;
    }

    // Forgets all states but keeps the memory.
    void clear();
    // Forgets all states, and gives back their memory.
    void release();

    // Why the last insertion was refused: the number of states, or else memory.
    bool at_state_limit() const { return size_ >= max_states_; }

protected:
    static constexpr std::size_t kHeader = 2;
    static constexpr std::size_t kFewRecords = 4096; // not worth sharing out

    std::size_t stride_of(std::size_t words) const { return (words + kHeader + even_) & ~even_; }
    Word* record(Index index) const { return arena() + std::size_t{index} * stride_; }
    Word* arena() const { return reinterpret_cast<Word*>(arena_.data()); }

    bool equal(Index index, const Word* words) const {
        const Word* other = state(index);
        std::size_t i = 0;
        for (; i + 2 <= words_; i += 2) {
            if (load_pair(other + i) != load_pair(words + i)) {
                return false;
            }
        }
        return i == words_ || other[i] == words[i];
    }

    // The index of an equal state, or kNoIndex; `line` is then the one where it belongs.
    Index find_from(std::size_t& line, const Word* words, std::uint64_t hash) const {
        for (;; line = table_.next_line(line)) {
            for (Table::LineSlots slots = table_.matching(line, hash); slots.any(); slots.drop_first()) {
                const Index index = Table::index(table_.entry(slots.first()));
                if (equal(index, words)) {
                    return index;
                }
            }
            if (table_.free(line).any()) {
                return kNoIndex;
            }
        }
    }

    Index append(const Word* words, std::uint64_t hash, std::size_t slot, Index parent, std::uint32_t action) {
        const auto index = static_cast<Index>(size_++);
        Word* place = record(index);
        place[0] = parent;
        place[1] = action;
        std::memcpy(place + kHeader, words, words_ * sizeof(Word));
        table_.set(slot, hash, index);
        return index;
    }

    std::size_t free_slot(std::uint64_t hash) const {
        std::size_t line = table_.home(hash);
        while (!table_.free(line).any()) {
            line = table_.next_line(line);
        }
        return table_.free(line).first();
    }

    template <class Convert, class By>
    bool convert_records(std::size_t words, const Convert& convert, const By& by) {
        const std::size_t stride = stride_of(words);
        if (!arena_.ensure(size_ * stride * sizeof(Word))) {
            return false;
        }
        arena_words_ = arena_.committed() / sizeof(Word);
        const auto move = [&](std::size_t first, std::size_t end) {
            std::vector<Word> copy(words_);
            for (std::size_t k = 0; k < end - first; ++k) {
                const std::size_t i = stride > stride_ ? end - 1 - k : first + k;
                move_record(arena() + i * stride_, arena() + i * stride, copy, convert);
            }
        };
        if (stride > stride_) {
            move_up(stride, move, by);
        } else {
            move_down(stride, move, by);
        }
        words_ = words;
        stride_ = stride;
        return true;
    }
    // Records are moved from the end that keeps them from being overwritten before; those whose new places overlap no
    // old one of those that wait are moved `by` all.
    template <class Move, class By>
    void move_up(std::size_t stride, const Move& move, const By& by) {
        for (std::size_t end = size_; end > 0;) {
            const std::size_t first = (end * stride_ + stride - 1) / stride;
            if (end - first < kFewRecords) {
                return move(0, end);
            }
            by(end - first, [&](std::size_t a, std::size_t b) { move(first + a, first + b); });
            end = first;
        }
    }
    template <class Move, class By>
    void move_down(std::size_t stride, const Move& move, const By& by) {
        for (std::size_t first = 0; first < size_;) {
            const std::size_t end = stride == stride_ ? size_ : std::min(size_, first * stride_ / stride);
            if (end - first < kFewRecords) {
                const std::size_t few = std::min(size_, first + kFewRecords);
                move(first, few);
                first = few;
            } else {
                by(end - first, [&](std::size_t a, std::size_t b) { move(first + a, first + b); });
                first = end;
            }
        }
    }
    template <class Convert>
    static void move_record(const Word* from, Word* to, std::vector<Word>& copy, const Convert& convert) {
        const Word header[kHeader] = {from[0], from[1]};
        std::memcpy(copy.data(), from + kHeader, copy.size() * sizeof(Word));
        std::copy_n(header, kHeader, to);
        convert(copy.data(), to + kHeader);
    }

    // What to do about a table that is full.
    struct Growth {
        std::size_t capacity;
        double load;
    };
    Growth next_growth() const;
    bool make_room();
    bool grow_arena();
    bool grow_table();
    std::size_t affordable_capacity() const;
    void take_table(std::size_t capacity);
    void rebuild(std::size_t capacity);
    void set_threshold(double load);
    // Hands the hash of each state from `first` to `end` to `put(hash, index)`, with its slot on the way to the cache.
    template <class Put>
    void for_each_hash(std::size_t first, std::size_t end, Put&& put) const {
        constexpr std::size_t kBatch = 64;
        std::array<std::uint64_t, kBatch> hashes;
        for (; first < end; first += kBatch) {
            const std::size_t count = std::min(kBatch, end - first);
            for (std::size_t i = 0; i < count; ++i) {
                hashes[i] = hash(state(static_cast<Index>(first + i)));
                prefetch(hashes[i]);
            }
            for (std::size_t i = 0; i < count; ++i) {
                put(hashes[i], static_cast<Index>(first + i));
            }
        }
    }

    std::size_t words_;
    std::size_t even_; // 1: strides are even
    std::size_t stride_;
    std::size_t max_states_;
    std::size_t side_bytes_;
    std::size_t size_ = 0;
    std::size_t threshold_ = 0;   // the number of states at which the table must grow
    std::size_t arena_words_ = 0; // usable words of the arena
    MemoryAccount& account_;
    Region arena_;
    Table table_;
};

static_assert(StateStore<Store>);

} // namespace beeline
