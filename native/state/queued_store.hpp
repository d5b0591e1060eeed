// What stores have in common that serve breadth-first search alone: they are asked for states in the order of their
// insertion, once each, and so need to keep them in full only while they wait; the way back is kept apart.
#pragma once

#include "state/store.hpp"
#include "state/waiting_states.hpp"
#include "state/way_back.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

class QueuedStore {
public:
    // What waits has so many words.
    QueuedStore(std::size_t waiting_words, MemoryAccount& account, std::size_t max_states)
        : max_states_(std::min(max_states, kMostStates)), waiting_(waiting_words, account), way_back_(account) {}

    std::size_t size() const { return size_; }
    bool alive(Index) const { return true; }
    Index parent(Index) const { return kNoIndex; }
    std::uint32_t action(Index) const { return 0; }
    void set_origin(Index, Index, std::uint32_t) {}
    bool at_state_limit() const { return size_ >= max_states_; }
    const WayBack& way_back() const { return way_back_; }

protected:
    // All arcs of a state that have a target must be inserted, in their order, before those of the next.
    void note_arc(Index parent) {
        position_ = parent == parent_ ? position_ + 1 : 0;
        parent_ = parent;
    }
    // The target of that arc is new.
    Insertion append(const Word* waiting) {
        if (!waiting_.append(waiting) || !way_back_.append(parent_, position_)) {
            return {Insert::kFull, kNoIndex};
        }
        return {Insert::kFresh, static_cast<Index>(size_++)};
    }
    // Good until the next call; indices must not fall.
    const Word* waiting(Index index) const { return waiting_.state(index); }
    // The one after it, if there is one.
    const Word* waiting_next(Index index) const { return waiting_.next(index); }
    template <class Visit>
    void for_each_waiting(Visit&& visit) {
        waiting_.for_each(std::forward<Visit>(visit));
    }
    void clear_queue() {
        waiting_.clear();
        way_back_.clear();
        size_ = 0;
        parent_ = kNoIndex;
        position_ = ~0u;
    }

private:
    std::size_t max_states_;
    mutable WaitingStates waiting_;
    WayBack way_back_;
    std::size_t size_ = 0;
    Index parent_ = kNoIndex;      // of the arc noted last,
    std::uint32_t position_ = ~0u; // and its position
};

} // namespace beeline
