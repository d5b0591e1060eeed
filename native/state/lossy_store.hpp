// A store for breadth-first search that may take a new state for a known one, and says how probable that is. What it
// keeps of a state is decided by its set of hashes: a fingerprint (`--store hash-compact`) or a few bits (`--store
// bitstate`). States themselves are kept only while they wait to be expanded; the way back is kept apart.
#pragma once

#include "state/bit_table.hpp"
#include "state/fingerprint_set.hpp"
#include "state/store.hpp"
#include "state/waiting_states.hpp"
#include "state/way_back.hpp"

#include <cmath>
#include <new>

namespace beeline {

// The two sets under one face: `add` says what became of a hash.
class HashCompact {
public:
    HashCompact(MemoryAccount& account, unsigned bytes) : set_(account, bytes) {}

    Insert add(std::uint64_t hash) {
        switch (set_.add(hash)) {
        case FingerprintSet::Added::kFresh:
            return Insert::kFresh;
        case FingerprintSet::Added::kKnown:
            return Insert::kKnown;
        default:
            return Insert::kFull;
        }
    }
    const FingerprintSet& set() const { return set_; }
    void clear() { set_.clear(); }

private:
    FingerprintSet set_;
};

class Bitstate {
public:
    Bitstate(MemoryAccount& account, unsigned log_bits) : set_(account) {
        if (!set_.make(log_bits)) {
            throw std::bad_alloc();
        }
    }

    Insert add(std::uint64_t hash) { return set_.add(hash) ? Insert::kFresh : Insert::kKnown; }
    const BitTable& set() const { return set_; }
    void clear() { set_.clear(); }

private:
    BitTable set_;
};

template <class Kept>
class LossyStore {
public:
    using PlainHashes = void; // see Run::hash_arcs

    // `size` is what the set is made with: bytes of a fingerprint, or the logarithm of the number of bits.
    LossyStore(std::size_t words, MemoryAccount& account, std::size_t max_states, unsigned size)
        : words_(words), max_states_(std::min<std::size_t>(max_states, kNoIndex - 1)), kept_(account, size),
          waiting_(words, account), way_back_(account) {}

    std::size_t size() const { return size_; }
    std::size_t words() const { return words_; }
    bool alive(Index) const { return true; }
    // Good until the next call; indices must not fall.
    const Word* state(Index index) const { return waiting_.state(index); }
    Index parent(Index) const { return kNoIndex; }
    std::uint32_t action(Index) const { return 0; }
    void set_origin(Index, Index, std::uint32_t) {}

    std::uint64_t hash(const Word* words) const { return hash_words(words, words_); }
    void prefetch(std::uint64_t hash) const { kept_.set().prefetch(hash); }
    void prefetch_record(std::uint64_t) const {}
    // Some index if the state seems known.
    Index find(const Word*, std::uint64_t hash) const { return kept_.set().contains(hash) ? 0 : kNoIndex; }

    // All arcs of a state that have a target must be inserted, in their order, before those of the next.
    Insertion insert(const Word* words, std::uint64_t hash, Index parent, std::uint32_t) {
        position_ = parent == parent_ ? position_ + 1 : 0;
        parent_ = parent;
        const double omission = kept_.set().omission();
        if (at_state_limit()) {
            return {kept_.set().contains(hash) ? Insert::kKnown : Insert::kFull, 0};
        }
        const Insert added = kept_.add(hash);
        if (added == Insert::kFresh) {
            if (!waiting_.append(words) || !way_back_.append(parent, position_)) {
                return {Insert::kFull, kNoIndex};
            }
            omitted_ += omission / (1 - omission);
            return {Insert::kFresh, static_cast<Index>(size_++)};
        }
        return {added, 0};
    }
    void clear() {
        kept_.clear();
        waiting_.clear();
        way_back_.clear();
        size_ = 0;
        omitted_ = 0;
        begin();
    }
    bool at_state_limit() const { return size_ >= max_states_; }

    const WayBack& way_back() const { return way_back_; }
    // The probability that some state was taken for another, were hashes drawn by chance: a state that seems new comes
    // after p / (1 - p) on average that are taken for known ones, if that happens with probability p.
    double omission() const { return -std::expm1(-omitted_); }

private:
    void begin() {
        parent_ = kNoIndex;
        position_ = ~0u;
    }

    std::size_t words_;
    std::size_t max_states_;
    Kept kept_;
    mutable WaitingStates waiting_;
    WayBack way_back_;
    std::size_t size_ = 0;
    Index parent_ = kNoIndex;      // of the arc inserted last,
    std::uint32_t position_ = ~0u; // and its position
    double omitted_ = 0;           // expected number of states taken for others
};

static_assert(StateStore<LossyStore<HashCompact>>);
static_assert(StateStore<LossyStore<Bitstate>>);

} // namespace beeline
