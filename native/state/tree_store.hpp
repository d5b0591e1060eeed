// A store that keeps equal parts of states once: their trees are in a table, and only roots wait to be expanded.
//
// The first states tell which words belong together; then all of them move to a table of that shape.
#pragma once

#include "state/queued_store.hpp"
#include "state/recent_states.hpp"
#include "state/tree_table.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace beeline {

class TreeStore : public QueuedStore {
public:
    static constexpr std::size_t kUsualSample = 1 << 14;

    TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states, std::size_t sample = kUsualSample);

    std::size_t words() const { return trees_->words(); }
    const Word* state(Index index) const;

    // Looks at the arcs from `first` on, which have the plain hashes of their targets, and whose origin is the state
    // last asked for; once, since it puts their roots in the place of the hashes. Then gives all of them their codes.
    void note_arcs(SuccessorBuffer& arcs, std::size_t first);
    // Whether an arc that was noted leads to a state that one before it led to. Then it need not be inserted, but
    // `pass_over` be called for it in its turn.
    bool is_seen(std::size_t arc) const { return seen_[arc] != 0; }
    void pass_over(Index parent) { note_arc(parent); }
    void hash_noted(SuccessorBuffer& arcs) { trees_->take_codes(arcs); }
    // The code of the root.
    std::uint64_t hash(const Word* words) const { return trees_->code_of(trees_->fold(words)); }
    void prefetch(std::uint64_t code) const { trees_->roots.prefetch(code); }
    void prefetch_record(std::uint64_t) const {}
    // Some index if the state is known.
    Index find(const Word*, std::uint64_t code) const { return is_known(code) ? 0 : kNoIndex; }
    Insertion insert(const Word* words, std::uint64_t code, Index parent, std::uint32_t action);
    void clear();

    // All states by some numbers of their own; each is good until the next is asked for.
    class AllStates {
    public:
        explicit AllStates(TreeTable& table);
        const Word* operator()(std::size_t i) { return trees_.unfold(roots_[i]); }

    private:
        TreeTable& trees_;
        std::vector<std::uint64_t> roots_;
    };
    AllStates all_states() const { return AllStates(*trees_); }

    // As in Store; `places` are the new ones of cells, which are the units of states from the first call on. Later
    // calls must not raise the lowest value of a cell: leaves are then written anew one by one, beside others that are
    // zero.
    template <class Convert>
    bool repack(std::size_t words, bool same_hashes, Convert&& convert, UnitPlaces places) {
        const TreeTable::Convert change = convert;
        const bool known = std::exchange(by_cells_, true);
        places_ = std::move(places);
        recent_.forget();
        return (known && trees_->change_layout(words, places_, same_hashes ? nullptr : &change)) || move(change, words);
    }

private:
    // Takes another table, of a shape that suits the states there are, for which `convert` writes their new words.
    // False if memory is short for both tables; nothing has changed then.
    bool move(TreeTable::Convert convert, std::size_t words);
    static std::uint64_t root_of(const Word* halves) { return halves[0] | std::uint64_t{halves[1]} << 32; }
    bool is_known(std::uint64_t code) const { return !trees_->out_of_memory() && trees_->roots.contains(code); }
    Insertion append_root(std::uint64_t code);
    void reshape();
    std::vector<Word> sampled(TreeTable::Convert convert, std::size_t words) const;
    bool move_to(TreeTable& table, TreeTable::Convert convert);

    MemoryAccount& account_;
    std::size_t sample_;
    bool shaped_ = false;
    bool by_cells_ = false; // units are cells, and no longer words
    UnitPlaces places_;     // of units
    std::unique_ptr<TreeTable> trees_;
    RecentStates recent_;
    std::vector<std::uint8_t> seen_; // by arc
};

static_assert(StateStore<TreeStore>);

} // namespace beeline
