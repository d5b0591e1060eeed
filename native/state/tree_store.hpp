// A store that keeps equal parts of states once (tree compression: Blom, Lisser, van de Pol and Weber, 2011; Laarman,
// van de Pol and Weber, 2011).
//
// A state is split in halves, and these again, down to single words; pairs of halves are numbered. The topmost pair,
// the root, stands for the whole state. Most steps change few parts, so that few pairs are new, and only the way from
// a changed word to the root is looked at.
#pragma once

#include "state/pair_set.hpp"
#include "state/queued_store.hpp"
#include "state/root_set.hpp"

#include <vector>

namespace beeline {

// States of so many words as trees, and the set of their roots.
class Forest {
public:
    Forest(std::size_t words, MemoryAccount& account);

    // The root of a state, both halves in one number. Numbers its parts if they are new. Quick for states that resemble
    // the one last unfolded.
    std::uint64_t fold(const Word* words);
    // The words of a root; good until the next call.
    const Word* unfold(std::uint64_t root);

    static std::uint32_t left(std::uint64_t root) { return static_cast<std::uint32_t>(root); }
    static std::uint32_t right(std::uint64_t root) { return static_cast<std::uint32_t>(root >> 32); }

    std::size_t words() const { return words_; }
    bool out_of_memory() const { return out_of_memory_; }
    void clear();

    RootSet roots;

private:
    // A pair of the tree: the positions of its halves and of its number among all numbers of a state's tree.
    struct Pair {
        std::size_t left, right, number;
    };
    std::size_t split(std::size_t first, std::size_t count);
    std::uint32_t number_of(std::uint32_t left, std::uint32_t right);

    // Pairs met lately, which are often met again: a look at these is quicker than one at all.
    struct Recent {
        std::uint32_t left, right, number;
    };
    static constexpr std::size_t kRecent = 1 << 14;

    std::size_t words_;
    PairSet parts_;
    std::vector<Recent> recent_;
    std::vector<Pair> pairs_; // halves before the whole; the root is not among them
    Pair root_{};
    // The trees of the states last folded and last unfolded: words first, then the numbers of pairs.
    std::vector<std::uint32_t> folded_, unfolded_;
    std::vector<std::uint8_t> changed_; // by position
    bool is_unfolded_ = false;
    bool out_of_memory_ = false;
};

class TreeStore : public QueuedStore {
public:
    using BySource = void; // hash states while their origin is the one last asked for

    TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states);

    std::size_t words() const { return forest_.words(); }
    const Word* state(Index index) const { return forest_.unfold(root_of(waiting(index))); }

    // The root.
    std::uint64_t hash(const Word* words) const { return forest_.fold(words); }
    void prefetch(std::uint64_t root) const { forest_.roots.prefetch(Forest::left(root), Forest::right(root)); }
    void prefetch_record(std::uint64_t) const {}
    // Some index if the state is known.
    Index find(const Word*, std::uint64_t root) const { return is_known(root) ? 0 : kNoIndex; }
    Insertion insert(const Word* words, std::uint64_t root, Index parent, std::uint32_t action);
    void clear();

private:
    static std::uint64_t root_of(const Word* halves) { return halves[0] | std::uint64_t{halves[1]} << 32; }
    bool is_known(std::uint64_t root) const { return forest_.roots.contains(Forest::left(root), Forest::right(root)); }

    mutable Forest forest_;
};

static_assert(StateStore<TreeStore>);

} // namespace beeline
