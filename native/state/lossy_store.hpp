// A store for breadth-first search that may take a new state for a known one, and says how probable that is. What it
// keeps of a state is decided by its set of hashes: a piece of the hash (`--store hash-compact`) or a few bits
// (`--store bitstate`).
#pragma once

#include "state/bit_table.hpp"
#include "state/cleary_table.hpp"
#include "state/queued_store.hpp"

#include <cmath>
#include <new>

namespace beeline {

// A few bytes of each hash (Wolper and Leroy, 1993; Stern and Dill, 1995): states for which they are equal are taken
// for one.
class HashCompact {
public:
    HashCompact(MemoryAccount& account, unsigned bytes) : set_(account, 8 * bytes) {}

    Insert add(std::uint64_t hash) {
        switch (set_.add(piece(hash))) {
        case ClearyTable::Added::kFresh:
            return Insert::kFresh;
        case ClearyTable::Added::kKnown:
            return Insert::kKnown;
        default:
            return Insert::kFull;
        }
    }
    bool contains(std::uint64_t hash) const { return set_.contains(piece(hash)); }
    void prefetch(std::uint64_t hash) const { set_.prefetch(piece(hash)); }
    // The probability that a new state is taken for a known one now.
    double omission() const { return static_cast<double>(set_.size()) / static_cast<double>(set_.largest()); }
    void clear() { set_.clear(); }

private:
    std::uint64_t piece(std::uint64_t hash) const { return hash & set_.largest(); }

    ClearyTable set_;
};

class Bitstate {
public:
    Bitstate(MemoryAccount& account, unsigned log_bits) : set_(account) {
        if (!set_.make(log_bits)) {
            throw std::bad_alloc();
        }
    }

    Insert add(std::uint64_t hash) { return set_.add(hash) ? Insert::kFresh : Insert::kKnown; }
    bool contains(std::uint64_t hash) const { return set_.contains(hash); }
    void prefetch(std::uint64_t hash) const { set_.prefetch(hash); }
    double omission() const { return set_.omission(); }
    void clear() { set_.clear(); }

private:
    BitTable set_;
};

template <class Kept>
class LossyStore : public QueuedStore {
public:
    static constexpr bool kPlainHashes = true;

    // `size` is what the set is made with: bytes of a hash, or the logarithm of the number of bits.
    LossyStore(std::size_t words, MemoryAccount& account, std::size_t max_states, unsigned size)
        : QueuedStore(words, account, max_states), words_(words), kept_(account, size) {}

    std::size_t words() const { return words_; }
    const Word* state(Index index) const { return waiting(index); }

    std::uint64_t hash(const Word* words) const { return hash_words(words, words_); }
    void prefetch(std::uint64_t hash) const { kept_.prefetch(hash); }
    void prefetch_record(std::uint64_t) const {}
    // Some index if the state seems known.
    Index find(const Word*, std::uint64_t hash) const { return kept_.contains(hash) ? 0 : kNoIndex; }

    Insertion insert(const Word* words, std::uint64_t hash, Index parent, std::uint32_t) {
        note_arc(parent);
        if (at_state_limit()) {
            return {kept_.contains(hash) ? Insert::kKnown : Insert::kFull, 0};
        }
        const double omission = kept_.omission() + static_cast<double>(size()) * kSameHash;
        const Insert added = kept_.add(hash);
        if (added != Insert::kFresh) {
            return {added, 0};
        }
        omitted_ += omission / (1 - omission);
        return append(words);
    }
    void clear() {
        clear_queue();
        kept_.clear();
        omitted_ = 0;
    }

    // The probability that some state was taken for another, were hashes drawn by chance: a state that seems new comes
    // after p / (1 - p) on average that are taken for known ones, if that happens with probability p.
    double omission() const { return -std::expm1(-omitted_); }

private:
    static constexpr double kSameHash = 0x1p-64; // of two states

    std::size_t words_;
    Kept kept_;
    double omitted_ = 0; // expected number of states taken for others
};

static_assert(StateStore<LossyStore<HashCompact>>);
static_assert(StateStore<LossyStore<Bitstate>>);

} // namespace beeline
