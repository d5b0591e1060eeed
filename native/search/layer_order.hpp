// The layers of a breadth-first search by several threads, each in the order in which one thread would have met its
// states: by the rank of their origin in the layer before, then by the position of the arc there.
#pragma once

#include "state/column.hpp"
#include "state/shared_store.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <numeric>

namespace beeline {

class LayerOrder {
public:
    // What some states of a layer are.
    struct Counted {
        std::uint64_t states = 0, goals = 0, transient = 0;
    };

    explicit LayerOrder(MemoryAccount& account)
        : columns_{Column<Index>(account), Column<Index>(account)}, ends_(account) {}

    // The layer in work: its states by rank.
    std::size_t size() const { return size_; }
    Index operator[](std::size_t rank) const { return columns_[in_use_].data()[rank]; }

    // The states of the store so far are the first layer. False if memory is short, as below.
    bool begin(std::size_t states) {
        size_ = states;
        if (!layer().ensure(states)) {
            return false;
        }
        std::iota(layer().data(), layer().data() + states, Index{0});
        return true;
    }

    // The layer in work, to be kept or to go on from.
    template <class Archive>
    void archive(Archive& with) {
        with(size_);
        if (!layer().ensure(size_)) {
            throw std::bad_alloc();
        }
        with.bytes(layer().data(), size_ * sizeof(Index));
    }

    // Makes room to count the states of the next layer by their origins.
    bool ensure_counts() { return ends_.ensure(size_ + 1); }
    void clear_counts() { std::fill_n(ends_.data(), size_ + 1, 0u); }
    // So many states of the next layer have the origin with this rank; one thread at a time may say so.
    void add_children(std::uint32_t rank, std::size_t count) { ends_[rank + 1] += static_cast<std::uint32_t>(count); }
    void remove_child(std::uint32_t rank) { --ends_[rank + 1]; }

    // Goes on to the layer of all states that the store has from `store.layer()` on, which were counted, with `by`
    // (see state/parts.hpp) for shares of the work. `note(counted)` is called in each thread for its share of the
    // states.
    template <class By, class Note>
    bool advance(SharedStore& store, const By& by, const Note& note) {
        const std::size_t count = store.size() - store.layer();
        if (!next_layer().ensure(count)) {
            return false;
        }
        std::partial_sum(ends_.data(), ends_.data() + size_ + 1, ends_.data());
        by(count, [&](std::size_t first, std::size_t end) { note(gather_by_origin(store, first, end)); });
        by(size_, [&](std::size_t first, std::size_t end) { order_children(store, first, end); });
        in_use_ = 1 - in_use_;
        size_ = count;
        return true;
    }

private:
    // From where the states of an origin begin to where they end, in any order.
    Counted gather_by_origin(const SharedStore& store, std::size_t first, std::size_t end) {
        Counted counted{.states = end - first};
        for (std::size_t i = first; i < end; ++i) {
            const auto index = static_cast<Index>(store.layer() + i);
            const Origin origin = store.origin(index);
            counted.goals += origin.is_goal();
            counted.transient += origin.is_transient();
            const std::atomic_ref place(ends_[origin.rank()]);
            next_layer()[place.fetch_add(1, std::memory_order_relaxed)] = index;
        }
        return counted;
    }

    // The states of each origin from `first` to `end`.
    void order_children(SharedStore& store, std::size_t first, std::size_t end) {
        for (std::size_t r = first; r < end; ++r) {
            Index* const begin = next_layer().data() + (r == 0 ? 0 : ends_[r - 1]);
            Index* const last = next_layer().data() + ends_[r];
            std::sort(begin, last,
                      [&](Index a, Index b) { return store.origin(a).position() < store.origin(b).position(); });
            for (Index* state = begin; state != last; ++state) {
                store.set_origin(*state, layer()[r], store.origin(*state).position());
            }
        }
    }

    Column<Index>& layer() { return columns_[in_use_]; }
    Column<Index>& next_layer() { return columns_[1 - in_use_]; }

    std::array<Column<Index>, 2> columns_; // the states of a layer and of the next, by rank
    std::size_t in_use_ = 0;
    // By rank: how many new states have this origin, in the place after it; then where they end.
    Column<std::uint32_t> ends_;
    std::size_t size_ = 0;
};

} // namespace beeline
