// A store that keeps equal parts of states once (tree compression: Blom, Lisser, van de Pol and Weber, 2011; Laarman,
// van de Pol and Weber, 2011).
//
// A state is split in halves, and these again, down to single words; pairs of halves are numbered. The topmost pair,
// the root, stands for the whole state. Most steps change few parts, so that few pairs are new, and only the way from
// a changed word to the root is looked at. There are no parents: whoever wants the way to a state looks for it again,
// layer by layer (search/retrace.hpp).
#pragma once

#include "state/pair_set.hpp"
#include "state/store.hpp"

#include <vector>

namespace beeline {

class TreeStore {
public:
    TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states);

    std::size_t size() const { return roots_.size(); }
    std::size_t words() const { return words_; }
    bool alive(Index) const { return true; }
    // Good until the next call.
    const Word* state(Index index) const;
    Index parent(Index) const { return kNoIndex; }
    std::uint32_t action(Index) const { return 0; }
    void set_origin(Index, Index, std::uint32_t) {}

    // The root, both halves in one number. Numbers the state's parts if they are new.
    std::uint64_t hash(const Word* words) const;
    void prefetch(std::uint64_t root) const { roots_.prefetch(PairSet::hash(left(root), right(root))); }
    void prefetch_record(std::uint64_t) const {}
    Index find(const Word*, std::uint64_t root) const {
        return roots_.find(left(root), right(root), PairSet::hash(left(root), right(root)));
    }
    Insertion insert(const Word* words, std::uint64_t root, Index parent, std::uint32_t action);
    void clear();
    bool at_state_limit() const { return size() >= max_states_; }

    // A search by layers tells where each begins.
    void begin_layer(std::size_t first) { layers_.push_back(first); }
    const std::vector<std::size_t>& layers() const { return layers_; }

private:
    static std::uint32_t left(std::uint64_t root) { return static_cast<std::uint32_t>(root); }
    static std::uint32_t right(std::uint64_t root) { return static_cast<std::uint32_t>(root >> 32); }

    // A pair of the tree: the positions of its halves and of its number among all numbers of a state's tree.
    struct Pair {
        std::size_t left, right, number;
    };
    std::size_t split(std::size_t first, std::size_t count);
    std::uint32_t number_of(std::uint32_t left, std::uint32_t right) const;

    std::size_t words_;
    std::size_t max_states_;
    PairSet roots_;
    mutable PairSet parts_;
    std::vector<Pair> pairs_; // halves before the whole; the root is not among them
    Pair root_{};
    // The trees of the states last hashed and last asked for: words first, then the numbers of pairs.
    mutable std::vector<std::uint32_t> folded_, unfolded_;
    mutable std::vector<std::uint8_t> changed_; // by position
    mutable bool is_folded_ = false, is_unfolded_ = false;
    mutable bool out_of_memory_ = false;
    std::vector<std::size_t> layers_;
};

static_assert(StateStore<TreeStore>);

} // namespace beeline
