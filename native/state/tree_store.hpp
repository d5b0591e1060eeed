// A store that keeps equal parts of states once: their trees are in a forest, and only roots wait to be expanded.
//
// The first states tell which words belong together; then all of them move to a forest of that shape.
#pragma once

#include "state/forest.hpp"
#include "state/queued_store.hpp"

#include <memory>

namespace beeline {

class TreeStore : public QueuedStore {
public:
    using BySource = void; // see BreadthFirst::fill
    static constexpr std::size_t kUsualSample = 1 << 14;

    TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states, std::size_t sample = kUsualSample);

    std::size_t words() const { return forest_->words(); }
    const Word* state(Index index) const;

    // Notes the arcs from `first` on, whose origin is the state last asked for; then gives all noted arcs their hashes.
    void note_arcs(const SuccessorBuffer& arcs, std::size_t first);
    void hash_noted(SuccessorBuffer& arcs) { forest_->fold_compared(arcs); }
    // The code of the root.
    std::uint64_t hash(const Word* words) const { return forest_->code_of(forest_->fold(words)); }
    void prefetch(std::uint64_t code) const { forest_->roots.prefetch(code); }
    void prefetch_record(std::uint64_t) const {}
    // Some index if the state is known.
    Index find(const Word*, std::uint64_t code) const { return is_known(code) ? 0 : kNoIndex; }
    Insertion insert(const Word* words, std::uint64_t code, Index parent, std::uint32_t action);
    void clear();

private:
    static std::uint64_t root_of(const Word* halves) { return halves[0] | std::uint64_t{halves[1]} << 32; }
    bool is_known(std::uint64_t code) const { return !forest_->out_of_memory() && forest_->roots.contains(code); }
    Insertion append_root(std::uint64_t code);
    void reshape();
    std::vector<Word> sampled() const;
    // Folds all states in another forest; false if memory is short for that, and nothing has changed then.
    bool move_to(Forest& forest);

    MemoryAccount& account_;
    std::size_t sample_;
    bool shaped_ = false;
    std::unique_ptr<Forest> forest_;
};

static_assert(StateStore<TreeStore>);

} // namespace beeline
