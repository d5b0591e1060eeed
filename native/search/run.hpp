// What all searches share: expanding a state and counting what came out, reporting what was found, and ending.
#pragma once

#include "search/monitor.hpp"
#include "search/outcome.hpp"
#include "search/request.hpp"
#include "search/retrace.hpp"
#include "space/space.hpp"
#include "state/store.hpp"
#include "state/tree_shape.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace beeline {

// The arcs of a state and its marks, found before the search asked for them.
struct Expansion {
    explicit Expansion(std::size_t words) : arcs(words) {}
    SuccessorBuffer arcs;
    std::uint32_t marks = kNone;
};

// Whether a state is a deadlock, without a trace of having asked.
template <Space S>
class DeadlockTest {
public:
    explicit DeadlockTest(S& space) : space_(space), arcs_(space.words()) {}

    bool operator()(const Word* state) {
        arcs_.clear();
        if constexpr (RepackableSpace<S>) {
            // A step to what has no room in the layout is a step, but leaves the space in the middle of it.
            if (clone_ == nullptr) {
                clone_ = space_.clone();
                clone_->follow(space_);
            }
            try {
                return (clone_->expand(state, arcs_) & kDeadlock) != 0;
            } catch (const TooNarrow&) {
                clone_ = nullptr;
                return false;
            }
        } else {
            return (space_.expand(state, arcs_) & kDeadlock) != 0;
        }
    }

private:
    S& space_;
    SuccessorBuffer arcs_;
    std::unique_ptr<S> clone_;
};

template <Space S, StateStore T>
class Run {
public:
    // Every known state counts as done.
    struct Everything {
        bool operator()(Index) const { return true; }
    };

    Run(S& space, T& store, const Request& request, Monitor& monitor, Outcome& outcome)
        : space(space), store(store), buffer(space.words()), statistics(outcome.statistics), request_(request),
          monitor_(monitor), outcome_(outcome) {
        outcome_.path.words = space.words();
    }

    S& space;
    T& store;
    SuccessorBuffer buffer;
    Expansion* prepared = nullptr; // of the state that is expanded next, with nothing in the buffer; used once
    Statistics& statistics;

    bool going() const { return outcome_.status == Status::kRunning; }
    void end(Status status) { outcome_.status = status; }
    // What ended the run is no reason to end it.
    void go_on() { end(Status::kRunning); }
    // A run of another search in another store, with which this one shares limits and outcome.
    template <Space Other, StateStore Another>
    Run<Other, Another> beside(Other& other, Another& another) {
        return Run<Other, Another>(other, another, request_, monitor_, outcome_);
    }
    const Limits& limits() const { return request_.limits; }
    std::size_t threads() const { return request_.threads; }
    std::size_t smallest_search() const { return request_.smallest_search; }
    MemoryAccount& memory() { return monitor_.memory(); }

    // To be called once per expansion; ends the run if a limit is reached or someone interrupts. `waiting` is the size
    // of the frontier, for searches that have one.
    void pulse(std::size_t waiting = 0) {
        statistics.frontier = waiting;
        const Status status = monitor_.pulse(statistics);
        if (status != Status::kRunning && going()) {
            end(status);
        }
    }

    // What is counted of expansions here and in the space, to go back to.
    struct Mark {
        Counts counts;
        [[no_unique_address]] decltype(tally_of(std::declval<const S&>())) tally;
    };
    Mark mark() const { return {Counts::of(statistics), tally_of(space)}; }
    void go_back(const Mark& mark) {
        mark.counts.put_into(statistics);
        put_back(space, mark.tally);
    }

    // Fills the buffer with the initial states. Ends the run if one of them is already what is sought: nothing is
    // shorter than no step at all.
    void initial() {
        buffer.clear();
        space.initial(buffer);
        stop_at_violation(kNoIndex, 0);
        count_errors(0);
        outcome_.proven = outcome_.status == Status::kFound;
    }

    // Appends the arcs of state `index` to the buffer and counts them. If one of them is sought, the run ends and that
    // arc and those after it are taken off the buffer: what is left is what was seen before. A state that is expanded
    // again (not `first_time`) adds to the work done, but not to the facts found.
    // Where the space leaves out steps, `is_done` tells of a known state whether nothing more will come of it.
    // Returns the marks of the state.
    template <class IsDone = Everything>
    std::uint32_t expand(Index index, bool first_time = true, const IsDone& is_done = {}) {
        const std::size_t first = buffer.size();
        const std::uint32_t marks = successors(store.state(index), is_done);
        const std::size_t seen = stop_at_violation(index, first);
        count(first, seen, marks, first_time);
        if (going() && (marks & request_.stop) != 0) {
            report_state(index, marks & request_.stop);
        }
        return marks;
    }

    // The same for a search that goes on after a violation: looks at no mark. Returns those of the state.
    template <class IsDone = Everything>
    std::uint32_t expand_through(Index index, bool first_time = true, const IsDone& is_done = {}) {
        return expand_words_through(store.state(index), first_time, is_done);
    }
    // The same for a state that need not be in the store.
    template <class IsDone = Everything>
    std::uint32_t expand_words_through(const Word* state, bool first_time = true, const IsDone& is_done = {}) {
        const std::size_t first = buffer.size();
        const std::uint32_t marks = successors(state, is_done);
        errors_seen_ = true;
        count(first, buffer.size(), marks, first_time);
        return marks;
    }

    // Has the space take a layout of words that suits the states stored so far, if that is a smaller one.
    template <class By = ByOne>
    void tighten(const By& by = {}) {
        bool tighter = false;
        if constexpr (ReshapingStore<T>) { // which gives states in their order only
            auto states = store.all_states();
            tighter = space.tighten(store.size(), [&states](std::size_t i) { return states(i); });
        } else {
            tighter = space.tighten(store.size(), [this](std::size_t i) { return store.state(static_cast<Index>(i)); });
        }
        if (tighter) {
            repack(by);
        }
    }
    // Has it take one with room for a value that was too much. The contents of the buffer are lost.
    template <class By = ByOne>
    void widen(const TooNarrow& reason, const By& by = {}) {
        space.widen(reason);
        repack(by);
    }

    // Has it take the layout of a run that goes on in this one, before there are states.
    template <class Ranges>
    void take_ranges(const Ranges& ranges) {
        space.take_ranges(ranges);
        repack(ByOne{});
    }

    // Makes sure that every arc in the buffer that has a target has its hash.
    void hash_arcs() {
        if constexpr (!(HashingSpace<S> && PlainHashStore<T>)) {
            hash_arcs_by(0, [this](const Word* state) { return store.hash(state); });
        }
    }
    // The same with the hash of all words, whatever the store's own one is.
    void hash_arcs_plainly(std::size_t first) {
        if constexpr (!HashingSpace<S>) {
            hash_arcs_by(first, [this](const Word* state) { return hash_words(state, buffer.words()); });
        }
    }

    // Appends the arcs of a state to the buffer, without those that a reduction leaves out, and returns its marks.
    template <class IsDone = Everything>
    std::uint32_t successors(const Word* state, const IsDone& is_done = {}) {
        const std::size_t first = buffer.size();
        const bool is_news = prepared == nullptr;
        const std::uint32_t marks = is_news ? space.expand(state, buffer) : take_prepared();
        statistics.generated += is_news ? repeated_ways(space) : 0;
        if constexpr (ReducingSpace<S>) {
            if (space.reduces()) {
                space.reduce(state, buffer, first, [&](std::size_t arc, bool visited) {
                    const Index known = store.find(buffer.state(arc), store.hash(buffer.state(arc)));
                    return known != kNoIndex && (visited || is_done(known));
                });
            }
        }
        return marks;
    }

    // Looks at a state on the depth bound: it may be a deadlock, but its arcs lead too far. True if nothing lies
    // behind it, that is if all its arcs lead to known states. Uses the buffer.
    bool probe(Index index, bool first_time = true) {
        buffer.clear();
        const std::uint32_t marks = space.expand(store.state(index), buffer);
        statistics.generated += repeated_ways(space);
        errors_seen_ = true;
        count(0, buffer.size(), marks, first_time);
        if ((marks & request_.stop) != 0) {
            report_state(index, marks & request_.stop);
        }
        return leads_nowhere_new();
    }

    // Whether all arcs in a buffer, from `first` on, lead to known states, and none to what is sought.
    bool leads_nowhere_new() const { return leads_nowhere_new(buffer, 0); }
    bool leads_nowhere_new(const SuccessorBuffer& arcs, std::size_t first) const {
        for (std::size_t i = first; i < arcs.size(); ++i) {
            const Word* target = arcs.state(i);
            const std::uint32_t marks = arcs.arc(i).marks;
            if ((marks & request_.stop) != 0) {
                return false;
            }
            if ((marks & kError) == 0 && store.find(target, store.hash(target)) == kNoIndex) {
                return false;
            }
        }
        return true;
    }

    // Ends a search that found nothing. If it has `met_bound`, a state that `lies_at_bound` may have something new
    // behind it, or else it was visited on another way since. A limit reached meanwhile leaves that open.
    template <class LiesAtBound>
    void end_without(bool met_bound, LiesAtBound&& lies_at_bound) {
        const bool cut = met_bound && is_cut(lies_at_bound);
        if (going()) {
            end(cut ? Status::kDepth : Status::kExhausted);
        }
    }
    // A known state is reached on a shorter way: makes that its origin. Where the known one is a larger zone, which
    // does not lie on this way, the new one must stand for itself.
    Insertion reach_sooner(Index known, const Word* target, Index parent, std::uint32_t action) {
        if constexpr (CoveringStateStore<T>) {
            return store.insert_beside(target, store.hash(target), parent, action);
        } else {
            store.set_origin(known, parent, action);
            return {Insert::kKnown, known};
        }
    }

    // A step that violates was found from a layer, and deadlocks in that layer, which lie a step nearer, are sought as
    // well: the first of `count` states (given by number) that is one, or `count` if there is none. Gives up when a
    // limit is reached, and says so in the outcome.
    template <class StateOf>
    std::size_t nearer_deadlock(std::size_t count, StateOf&& state_of) {
        DeadlockTest<S> is_deadlock(space);
        for (std::size_t i = 0; i < count; ++i) {
            if (const Word* state = state_of(i); state != nullptr && is_deadlock(state)) {
                return i;
            }
            if (monitor_.pulse(statistics) != Status::kRunning) {
                outcome_.truncated = true;
                break;
            }
        }
        return count;
    }
    bool seeks_nearer_deadlocks() const {
        return outcome_.status == Status::kFound && (request_.stop & kDeadlock) != 0 &&
               (outcome_.found & kDeadlock) == 0;
    }
    // In the place of what was found, a step further.
    void report_deadlock(Index index) {
        outcome_.error_action = outcome_.error_detail = 0;
        statistics.goals -= (outcome_.found & kGoal) != 0;
        --statistics.depth;
        report_state(index, kDeadlock);
    }

    // A state was inserted; `marks` are those of the arc that led to it.
    void count_fresh(std::uint32_t marks) {
        ++statistics.stored;
        statistics.goals += (marks & kGoal) != 0;
        statistics.transient += (marks & kTransient) != 0;
    }
    void reach_depth(std::uint64_t depth) { statistics.depth = depth > statistics.depth ? depth : statistics.depth; }

    // The marks at which a search ends, and where to write down what it found.
    std::uint32_t stop() const { return request_.stop; }
    Outcome& outcome() { return outcome_; }

    // The arc that violates, at the end of the path to its origin.
    void add_violation(const SuccessorBuffer& arcs, std::size_t i) {
        const SuccessorBuffer::Arc& arc = arcs.arc(i);
        outcome_.found = arc.marks & request_.stop;
        if ((arc.marks & kError) != 0) {
            outcome_.error_action = arc.action;
            outcome_.error_detail = arc.detail;
        } else {
            outcome_.path.append(arc.action, arcs.state(i));
        }
        statistics.goals += (arc.marks & kGoal) != 0;
    }
    // The path is there and goes round: its last state is the one at position `start`.
    void end_at_cycle(std::size_t start) {
        outcome_.found = kCycle;
        outcome_.cycle = static_cast<std::int64_t>(start);
        end_found();
    }
    // The path is there, with what was found.
    void end_found() {
        reach_depth(length_of(outcome_.path, outcome_.found));
        end(Status::kFound);
    }

    // The store refused a state.
    void end_full() { end(store.at_state_limit() ? Status::kStates : Status::kMemory); }

private:
    template <class LiesAtBound>
    bool is_cut(const LiesAtBound& lies_at_bound) {
        const Statistics before = statistics;
        bool cut = false;
        for (std::size_t i = 0; !cut && going() && i < store.size(); ++i) {
            const auto index = static_cast<Index>(i);
            if (store.alive(index) && lies_at_bound(index)) {
                buffer.clear();
                expand_through(index, false);
                cut = !leads_nowhere_new();
            }
            pulse();
        }
        statistics.expanded = before.expanded;
        statistics.generated = before.generated;
        return cut;
    }

    template <class Hash>
    void hash_arcs_by(std::size_t first, const Hash& hash) {
        for (std::size_t i = first; i < buffer.size(); ++i) {
            const bool has_target = (buffer.arc(i).marks & kError) == 0;
            buffer.set_hash(i, has_target ? hash(buffer.state(i)) : 0);
        }
    }

    template <class By>
    void repack(const By& by) {
        buffer = SuccessorBuffer(space.words());
        const auto convert = [this](const Word* from, Word* to) { space.convert(from, to); };
        bool done = false;
        if constexpr (ReshapingStore<T>) {
            done = store.repack(space.words(), space.keeps_hashes(), convert, space.unit_places());
        } else {
            done = (space.words() == store.words() && space.keeps_hashes()) || // the cell found unused bits
                   repack_store(convert, by);
        }
        if (!done) {
            end(Status::kMemory);
        }
    }

    template <class Convert, class By>
    bool repack_store(const Convert& convert, const By& by) {
        if constexpr (ParallelStore<T>) {
            return store.repack(space.words(), space.keeps_hashes(), convert, by);
        } else {
            return store.repack(space.words(), space.keeps_hashes(), convert);
        }
    }

    std::uint32_t take_prepared() {
        Expansion& known = *std::exchange(prepared, nullptr);
        std::swap(buffer, known.arcs);
        return known.marks;
    }

    // Returns the number of arcs from `first` on that were seen, the violating one included.
    std::size_t stop_at_violation(Index source, std::size_t first) {
        std::uint32_t any = 0;
        for (std::size_t i = first; i < buffer.size(); ++i) {
            any |= buffer.arc(i).marks;
        }
        errors_seen_ = (any & kError) != 0;
        if ((any & request_.stop) == 0) {
            return buffer.size();
        }
        std::size_t arc = first;
        while ((buffer.arc(arc).marks & request_.stop) == 0) {
            ++arc;
        }
        report_arc(source, arc);
        while (buffer.size() > arc) {
            buffer.drop_last();
        }
        return arc + 1;
    }

    void count(std::size_t first, std::size_t seen, std::uint32_t marks, bool first_time) {
        ++statistics.expanded;
        statistics.generated += seen - first;
        if (!first_time) {
            return;
        }
        statistics.deadlocks += (marks & kDeadlock) != 0;
        count_errors(first);
    }

    void count_errors(std::size_t first) {
        for (std::size_t i = first; errors_seen_ && i < buffer.size(); ++i) {
            statistics.errors += (buffer.arc(i).marks & kError) != 0;
        }
    }

    Path way_to(Index index) {
        if constexpr (ArcStore<T>) {
            return follow_arcs(space, store, index);
        } else {
            return path_to(store, index);
        }
    }

    void report_arc(Index source, std::size_t i) {
        outcome_.path = way_to(source);
        add_violation(buffer, i);
        statistics.errors += (buffer.arc(i).marks & kError) != 0;
        end_found();
    }

    void report_state(Index index, std::uint32_t marks) {
        outcome_.found = marks;
        outcome_.path = way_to(index);
        end_found();
    }

    bool errors_seen_ = true; // whether the arcs last looked at may have errors among them
    const Request& request_;
    Monitor& monitor_;
    Outcome& outcome_;
};

} // namespace beeline
