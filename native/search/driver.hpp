// Runs one search over one space from beginning to end: makes the store, watches the limits, collects the outcome.
#pragma once

#include "search/retelling.hpp"
#include "search/run.hpp"

#include <new>
#include <utility>

namespace beeline {

// The usual store of a space.
template <Space S>
auto make_store(S& space, MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
    if constexpr (CoveringSpace<S>) {
        return space.make_store(account, max_states, side_bytes);
    } else {
        return Store(space.words(), account, max_states, side_bytes);
    }
}

// A search that keeps so many bytes per state beside the store.
template <class Search>
concept KeepsSideBytes = requires {
    { Search::kSideBytes } -> std::convertible_to<std::size_t>;
};

template <class Search>
constexpr std::size_t side_bytes_of() {
    if constexpr (KeepsSideBytes<Search>) {
        return Search::kSideBytes;
    } else {
        return 0;
    }
}

// Zones that larger ones took the place of: they were counted when they were stored.
template <class T>
std::uint64_t replaced_in(const T& store) {
    if constexpr (CoveringStateStore<T>) {
        return store.replaced();
    }
    return 0;
}

// Whatever layout of states the search ended with, its path is told in the full one.
template <Space S>
void use_full_layout(S& space, Path& path) {
    if (space.use_full_layout()) {
        path = converted(space, path);
    }
}

// `Search<S, T>` is made from the run and `arguments`, its store by `make`. Exceptions of the space pass through;
// nothing is leaked.
template <template <class, class> class Search, Space S, class Make, class... Arguments>
Outcome run_with_store(S& space, const Request& request, const Make& make, const Arguments&... arguments) {
    Outcome outcome;
    Monitor monitor(request, SlowSpace<S> ? 1 : 8);
    const std::size_t side_bytes =
        side_bytes_of<Search<S, Store>>() + (request.limits.bounds_depth() ? sizeof(std::uint32_t) : 0);
    try {
        auto store = make(monitor.memory(), request.limits.states, side_bytes);
        Run<S, decltype(store)> run(space, store, request, monitor, outcome);
        Search<S, decltype(store)> search(run, arguments...);
        search.search();
        if (outcome.status == Status::kExhausted) {
            outcome.statistics.frontier = 0;
        }
        outcome.words = store.words();
        monitor.measure(outcome.statistics);
        monitor.history().close(outcome.statistics); // counts zones that were replaced, as all samples before it do
        if constexpr (OmittingStore<decltype(store)>) {
            outcome.omission = store.omission();
        }
        outcome.statistics.stored -= replaced_in(store);
    } catch (const Interrupted&) {
        outcome.status = Status::kInterrupted;
    } catch (const std::bad_alloc&) {
        outcome.status = Status::kMemory;
    }
    if constexpr (RepackableSpace<S>) {
        use_full_layout(space, outcome.path);
    }
    retell(space, outcome);
    monitor.measure(outcome.statistics);
    outcome.history = monitor.history().samples();
    return outcome;
}

// The same with the space's usual store.
template <template <class, class> class Search, Space S, class... Arguments>
Outcome run_search(S& space, const Request& request, const Arguments&... arguments) {
    const auto usual = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
        return make_store(space, account, max_states, side_bytes);
    };
    return run_with_store<Search>(space, request, usual, arguments...);
}

} // namespace beeline
