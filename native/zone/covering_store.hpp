// The set of symbolic states that a search has seen, without those that others cover.
//
// A state is its discrete words followed by a packed zone (see packed_zone.hpp). States with the same
// discrete words are chained; a new one is dropped if a zone of its chain includes its own, and takes the place of
// those it includes. What was replaced stays in the arena, because traces lead through it, but is no longer alive and
// is not expanded (Behrmann, Bengtsson, David, Larsen, Pettersson, Yi, "UPPAAL Implementation Secrets", 2002, section
// on the unified passed and waiting list).
#pragma once

#include "state/column.hpp"
#include "state/store.hpp"
#include "zone/dbm.hpp"
#include "zone/packed_zone.hpp"

#include <vector>

namespace beeline {

class CoveringStore {
public:
    // States have `discrete` words and then a zone of so many clocks with words for at most `room` of them. With
    // `merges`, for which there must be room for all clocks, a new zone is joined with those of its chain that it makes
    // a larger zone with (David, "Merging DBMs efficiently", 2005). What is reachable stays the same, but a way to a
    // merged state need not be one to each of its points.
    CoveringStore(std::size_t discrete, std::size_t clocks, std::size_t room, MemoryAccount& account,
                  std::size_t max_states = kNoIndex, std::size_t side_bytes = 0, bool merges = false);

    std::size_t size() const { return size_; }
    std::size_t words() const { return words_; }
    // How many states were replaced by larger ones.
    std::size_t replaced() const { return replaced_; }
    bool alive(Index index) const { return record(index)[kNext] != kReplaced; }
    // In scratch memory: of use until some more states were asked for.
    const Word* state(Index index) const;
    Index parent(Index index) const { return record(index)[kParent]; }
    std::uint32_t action(Index index) const { return record(index)[kAction]; }
    void set_origin(Index index, Index parent, std::uint32_t action) {
        record(index)[kParent] = parent;
        record(index)[kAction] = action;
    }

    // Of the discrete words only: all zones over them meet in one chain.
    std::uint64_t hash(const Word* words) const { return hash_words(words, discrete_); }
    void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
    void prefetch_record(std::uint64_t hash) const {
        const std::uint64_t entry = table_.entry(table_.home(hash));
        if (Table::matches(entry, hash) && !Table::empty(entry)) {
            __builtin_prefetch(record(Table::index(entry)));
        }
    }

    // The index of a living state that covers this one, or kNoIndex.
    Index find(const Word* words, std::uint64_t hash) const;
    // The first living state that covers this one, or that it covers, among those that `accepts` takes; or kNoIndex.
    template <class Accepts>
    Index find_covering(const Word* words, std::uint64_t hash, const Accepts& accepts) const {
        const Word* wanted = words + discrete_;
        return find_if(words, hash, [&](Index at) { return accepts(at) && packer_.includes(zone(at), wanted); });
    }
    template <class Accepts>
    Index find_covered(const Word* words, std::uint64_t hash, const Accepts& accepts) const {
        const Word* wanted = words + discrete_;
        return find_if(words, hash, [&](Index at) { return accepts(at) && packer_.includes(wanted, zone(at)); });
    }
    // kKnown with the index of a covering state, or kFresh: then what the new state covers is no longer alive. The new
    // state is larger than `words` if it was merged with others.
    Insertion insert(const Word* words, std::uint64_t hash, Index parent, std::uint32_t action);
    // What the last state that was inserted took the place of.
    const std::vector<Index>& dropped() const { return dropped_; }
    // Takes a state in although others cover it, because the way to it is shorter than theirs.
    Insertion insert_beside(const Word* words, std::uint64_t hash, Index parent, std::uint32_t action);

    void clear();
    bool at_state_limit() const { return size_ >= max_states_; }

private:
    static constexpr std::size_t kParent = 0, kAction = 1, kNext = 2, kHeader = 3;
    static constexpr Word kReplaced = kNoIndex - 1; // kNext of a state that is no longer alive; kNoIndex ends a chain

    Word* record(Index index) const { return reinterpret_cast<Word*>(arena_.data()) + offsets_[index]; }
    const Word* discrete(Index index) const { return record(index) + kHeader; }
    const Word* zone(Index index) const { return record(index) + kHeader + discrete_; }
    // The first state of the chain of these discrete words that is accepted.
    template <class Accepts>
    Index find_if(const Word* words, std::uint64_t hash, const Accepts& accepts) const {
        const std::uint64_t entry = table_.entry(slot_of(words, hash));
        Index index = Table::empty(entry) ? kNoIndex : Table::index(entry);
        while (index != kNoIndex && !accepts(index)) {
            index = record(index)[kNext];
        }
        return index;
    }
    // The slot of the chain of these discrete words, or the free one where it would begin.
    std::size_t slot_of(const Word* words, std::uint64_t hash) const;
    // `words`, merged with what is possible of a chain; in scratch memory.
    const Word* merged(Index first, const Word* words);
    // Takes the states that a packed zone covers out of the chain; returns what is left of it.
    Index drop_covered(Index first, const Word* zone);
    // The first state of a chain that covers a packed zone.
    Index covering(Index first, const Word* zone) const;
    // Puts a state at the head of a chain.
    Index append(const Word* words, std::uint64_t hash, std::size_t slot, Index chain, Index parent,
                 std::uint32_t action);
    // The words of a state but for zeros at their end.
    std::size_t size_of(const Word* words) const { return discrete_ + packer_.size(words + discrete_); }
    bool make_room(std::size_t words);
    bool grow_table();
    void rebuild(std::size_t capacity);

    std::size_t discrete_;
    std::size_t room_;
    std::size_t words_;
    std::size_t max_states_;
    std::size_t side_bytes_;
    bool merges_;
    std::size_t size_ = 0;
    std::size_t chains_ = 0;
    std::size_t replaced_ = 0;
    std::size_t most_chains_ = 0; // the number at which the table must grow
    MemoryAccount& account_;
    Region arena_;
    std::size_t used_ = 0; // words of the arena
    Column<std::uint64_t> offsets_;
    Table table_;
    // Scratch
    static constexpr std::size_t kUnpacked = 4;
    zone::ZonePacker packer_;
    mutable std::vector<Word> unpacked_; // some states, so that the last ones are good at the same time
    mutable std::size_t turn_ = 0;
    std::vector<Index> dropped_;
    zone::Frame all_; // where zones are merged
    std::vector<Word> merged_;
    std::vector<zone::Bound> bounds_, other_;
};

static_assert(StateStore<CoveringStore>);

} // namespace beeline
