// Breadth-first search by several threads, with the answers of one: the same verdict, counts and trace.
//
// Layer by layer, threads take stretches of the layer and insert what they find into one shared store. Of all arcs that
// lead to a new state, the one that a single thread would have met first is kept as its origin, and when the layer is
// done its new states are ranked by their origins. So a state's rank is its place in the order of a single thread; a
// violation with the least rank is the one that it would have found. Arcs are kept as positions among those of their
// origin, and looked up again for the trace.
#pragma once

#include "search/driver.hpp"
#include "search/layer_frame.hpp"
#include "search/layer_order.hpp"
#include "search/thread_team.hpp"
#include "state/shared_store.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace beeline {

// Whether a request for several threads can be met: not where a reduction looks at what was visited before.
template <class S>
bool can_share(S& space) {
    if constexpr (ReducingSpace<S>) {
        return CloneableSpace<S> && !space.reduces();
    } else {
        return CloneableSpace<S>;
    }
}

template <Space S, class T>
class ParallelBreadthFirst {
public:
    static constexpr std::size_t kSideBytes = 4; // ranks of the layers in work

    ParallelBreadthFirst(Run<S, T>& run, std::size_t threads, std::size_t smallest_layer)
        : run_(run), frame_(run), smallest_layer_(smallest_layer), team_(threads), layer_(run.memory()),
          workers_(team_.size()) {
        run.outcome().threads = static_cast<std::uint32_t>(team_.size());
        for (Worker& worker : workers_) {
            worker.clone = &worker == &workers_[0] ? nullptr : run.space.clone();
            worker.space = worker.clone == nullptr ? &run.space : worker.clone.get();
        }
    }

    void search() {
        begin();
        while (step()) {
        }
        finish();
    }

    // The parts of `search`, for callers that stop in between.

    void begin() {
        run_.initial();
        insert_initial();
        is_whole_ = run_.going();
    }

    // Expands a layer. False if the run ended or nothing is left to do.
    bool step() {
        if (!run_.going() || layer_.size() == 0) {
            return false;
        }
        frame_.begin_layer();
        expand_layer();
        if (run_.going()) {
            frame_.end_layer();
        }
        return run_.going();
    }

    void finish() { frame_.finish(); }

    // For checkpoints, as in BreadthFirst. They are of the layer's beginning: in the midst of it, nobody could tell
    // which states one thread would have expanded.

    bool is_whole() const { return is_whole_; }
    void spoil() { is_whole_ = false; }
    void take_back() {
        if (is_whole_) {
            run_.store.drop_layer();
            run_.statistics = base_;
            put_back(run_.space, base_tally_);
        }
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(run_);
    }
    template <class Archive>
    void archive(Archive& with) {
        frame_.archive(with);
        layer_.archive(with);
    }

private:
    static constexpr std::size_t kBatch = 256; // as in BreadthFirst
    static constexpr std::size_t kLongestStretch = 256;
    static constexpr std::uint32_t kStateItself = Origin::kMostPositions - 1; // a mark of the state, after all its arcs
    static constexpr std::uint64_t kNothing = std::numeric_limits<std::uint64_t>::max();

    struct Source {
        std::uint32_t rank;
        std::size_t arcs_end;
        Counts counts; // of the stretch, when it had been expanded
    };
    struct alignas(64) Worker {
        std::unique_ptr<S> clone;
        S* space = nullptr;
        SuccessorBuffer buffer{0};
        std::vector<Source> sources;
        std::size_t source = 0, arc = 0; // as far as the buffer has been stored
        std::vector<Index> likely;       // by arc, as in BreadthFirst
        std::size_t stretch = 0, next = 0, end = 0;
        Counts counts; // of the stretch
        SharedStore::Part part;
        bool full = false;
        bool cut = false;
        std::optional<TooNarrow> narrow;
        std::atomic<std::uint64_t> expanded = 0, generated = 0, fresh = 0; // of the layer, for whoever watches

        void forget_arcs() {
            buffer.clear();
            sources.clear();
            source = arc = 0;
        }
    };

    void insert_initial() {
        SuccessorBuffer& buffer = run_.buffer;
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = buffer.arc(i);
            if ((arc.marks & kError) != 0) {
                continue;
            }
            const Word* words = buffer.state(i);
            const Insertion done = run_.store.insert(words, run_.store.hash(words), kNoIndex, arc.action);
            if (done.result == Insert::kFull) {
                return run_.end_full();
            }
            if (done.result == Insert::kFresh) {
                run_.count_fresh(arc.marks);
            }
        }
        if (run_.going() && run_.store.size() > 0 && !layer_.begin(run_.store.size())) {
            run_.end(Status::kMemory);
        }
    }

    // One layer

    void expand_layer() {
        alone_ = layer_.size() < smallest_layer_ || team_.size() == 1;
        base_ = run_.statistics;
        base_tally_ = tally_of(run_.space);
        run_.store.open_layer();
        if (!layer_.ensure_counts()) {
            return run_.end(Status::kMemory);
        }
        take_buffers();
        begin_layer();
        while (run_.going() && !round()) {
        }
        const Origin violation(found_.load());
        conclude(violation);
        if (violation.bits() == kNothing && run_.going()) {
            return end_layer();
        }
        for (std::size_t i = run_.store.layer(); i < run_.store.size(); ++i) {
            const Origin origin = run_.store.origin(static_cast<Index>(i));
            if (origin.is_before(violation)) {
                count_fresh(origin);
            }
        }
        if (violation.bits() != kNothing) { // worth more than a limit
            report(nearest(violation));
        }
    }

    // As BreadthFirst does it: a deadlock in the layer is nearer than a violating step from there.
    Origin nearest(Origin violation) {
        if (violation.position() == kStateItself || (run_.stop() & kDeadlock) == 0) {
            return violation;
        }
        const std::size_t found =
            run_.nearer_deadlock(layer_.size(), [this](std::size_t i) { return run_.store.state(layer_[i]); });
        return found < layer_.size() ? Origin(static_cast<std::uint32_t>(found), kStateItself, kNone) : violation;
    }

    void begin_layer() {
        found_ = kNothing;
        stretch_size_ = std::clamp<std::size_t>(layer_.size() / (16 * workers_.size()), 1, kLongestStretch);
        stretch_size_ = alone_ ? layer_.size() : stretch_size_; // as BreadthFirst does it
        counts_.assign((layer_.size() + stretch_size_ - 1) / stretch_size_, Counts{});
        next_stretch_ = 0;
        layer_.clear_counts();
        for (Worker& worker : workers_) {
            worker.forget_arcs();
            worker.part.replaced.clear();
            worker.stretch = worker.next = worker.end = 0;
            worker.counts = {};
            worker.cut = false;
            worker.expanded = worker.generated = worker.fresh = 0;
        }
    }

    // All threads work until the layer is done or something must be done by one; true if the layer is done.
    bool round() {
        pause_ = false;
        if (alone_) {
            work(workers_[0]);
        } else {
            team_.run([this](std::size_t number) { work(workers_[number]); });
        }
        close_holes();
        bool full = false;
        const TooNarrow* narrow = nullptr;
        for (Worker& worker : workers_) {
            full |= worker.full;
            narrow = worker.narrow && narrow == nullptr ? &*worker.narrow : narrow;
        }
        if (full && run_.going()) {
            make_room();
        } else if (narrow != nullptr && run_.going()) {
            widen(TooNarrow(*narrow));
        } else {
            return true;
        }
        return false;
    }

    void close_holes() {
        std::vector<SharedStore::Room> rooms;
        for (Worker& worker : workers_) {
            rooms.push_back(worker.part.room);
            worker.part.room = {};
        }
        run_.store.close_holes(std::move(rooms));
    }

    void make_room() {
        for (Worker& worker : workers_) {
            worker.full = false;
        }
        if (run_.store.make_room_for(workers_.size(), by_all())) {
            return;
        }
        if (run_.store.at_state_limit() && !alone_) {
            // Which states are the last ones within the limit depends on the order: once more, by one thread.
            run_.store.drop_layer();
            alone_ = true;
            begin_layer();
        } else {
            if (alone_ && found_ == kNothing) { // as BreadthFirst does it
                counts_.front() = workers_[0].sources[workers_[0].source].counts;
            }
            run_.end_full();
        }
    }

    void widen(const TooNarrow& reason) {
        if constexpr (RepackableSpace<S>) {
            run_.widen(reason, by_all());
            if (!run_.going()) { // states and space have different layouts now: no trace can be told
                spoil();
                found_ = kNothing;
                return;
            }
            take_buffers();
        }
    }

    // Has everyone take the present layout.
    void take_buffers() {
        for (Worker& worker : workers_) {
            worker.narrow.reset();
            if (worker.clone != nullptr) {
                worker.space->follow(run_.space);
            }
            if (worker.buffer.words() != run_.space.words()) {
                worker.buffer = SuccessorBuffer(run_.space.words());
            }
            worker.forget_arcs();
        }
    }

    // One thread

    void work(Worker& worker) {
        try {
            bool going = flush(worker);
            if (worker.narrow) { // its space stopped in the middle of a step, and must take another layout first
                pause_ = true;
                return;
            }
            while (going && !pause_.load(std::memory_order_relaxed) && has_work(worker)) {
                fill(worker);
                going = flush(worker);
                if (&worker == &workers_[0]) {
                    watch();
                }
            }
        } catch (...) {
            pause_ = true;
            throw;
        }
    }

    bool has_work(Worker& worker) {
        if (worker.next < worker.end) {
            return true;
        }
        const std::size_t stretch = next_stretch_.fetch_add(1, std::memory_order_relaxed);
        if (stretch >= counts_.size()) {
            return false;
        }
        worker.stretch = stretch;
        worker.next = stretch * stretch_size_;
        worker.end = std::min(layer_.size(), worker.next + stretch_size_);
        worker.counts = {};
        return true;
    }

    void fill(Worker& worker) {
        const std::uint64_t before = worker.counts.expanded;
        const std::uint64_t arcs = worker.counts.generated;
        for (; worker.next < worker.end && worker.buffer.size() < kBatch; ++worker.next) {
            const auto rank = static_cast<std::uint32_t>(worker.next);
            if (rank > Origin(found_.load(std::memory_order_relaxed)).rank()) {
                worker.next = worker.end; // one thread would not have come here
                break;
            }
            if (worker.next + 1 < worker.end) {
                run_.store.prefetch_state(layer_[worker.next + 1]);
            }
            if (!expand(worker, rank)) {
                break;
            }
        }
        counts_[worker.stretch] = worker.counts;
        note(worker.expanded, worker.counts.expanded - before);
        note(worker.generated, worker.counts.generated - arcs);
    }

    static void note(std::atomic<std::uint64_t>& counter, std::uint64_t more) {
        counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }

    // False if the layout of states has no room for what comes out; the state must then be expanded again.
    bool expand(Worker& worker, std::uint32_t rank) {
        SuccessorBuffer& buffer = worker.buffer;
        const std::size_t first = buffer.size();
        std::uint32_t marks = kNone;
        try {
            marks = worker.space->expand(run_.store.state(layer_[rank]), buffer);
        } catch (const TooNarrow& reason) {
            if constexpr (!RepackableSpace<S>) {
                throw;
            }
            buffer.cut(first);
            worker.narrow = reason;
            pause_ = true;
            return false;
        }
        const std::size_t arc = frame_.is_at_bound() ? buffer.size() : first_violation(buffer, first);
        const bool violates = arc < buffer.size();
        count(worker.counts, buffer, first, violates ? arc + 1 : buffer.size(), marks);
        worker.counts.generated += repeated_ways(*worker.space);
        if (violates) {
            find(Origin(rank, static_cast<std::uint32_t>(arc - first), kNone));
            buffer.cut(arc);
        } else if ((marks & run_.stop()) != 0) {
            find(Origin(rank, kStateItself, kNone));
        }
        if (frame_.is_at_bound()) {
            worker.cut |= !run_.leads_nowhere_new(buffer, first);
            buffer.cut(first);
        }
        worker.sources.push_back({rank, buffer.size(), worker.counts});
        return true;
    }

    std::size_t first_violation(const SuccessorBuffer& buffer, std::size_t first) const {
        while (first < buffer.size() && (buffer.arc(first).marks & run_.stop()) == 0) {
            ++first;
        }
        return first;
    }

    static void count(Counts& counts, const SuccessorBuffer& buffer, std::size_t first, std::size_t end,
                      std::uint32_t marks) {
        ++counts.expanded;
        counts.generated += end - first;
        counts.deadlocks += (marks & kDeadlock) != 0;
        for (; first < end; ++first) {
            counts.errors += (buffer.arc(first).marks & kError) != 0;
        }
    }

    void find(Origin violation) {
        std::uint64_t known = found_.load(std::memory_order_relaxed);
        while (violation.bits() < known &&
               !found_.compare_exchange_weak(known, violation.bits(), std::memory_order_relaxed)) {
        }
    }

    // Stores what the buffer holds, as in BreadthFirst; false if there is no room for it now.
    bool flush(Worker& worker) {
        SuccessorBuffer& buffer = worker.buffer;
        if (worker.arc == 0) {
            prefetch(worker);
        } else { // the table may have grown since, and states have moved
            std::fill(worker.likely.begin(), worker.likely.end(), kNoIndex);
        }
        std::uint64_t fresh = 0;
        bool going = true;
        for (; going && worker.source < worker.sources.size(); worker.source += going) {
            const std::size_t first = worker.source == 0 ? 0 : worker.sources[worker.source - 1].arcs_end;
            const Source& source = worker.sources[worker.source];
            worker.part.gained = 0;
            for (; worker.arc < source.arcs_end; ++worker.arc) {
                const std::uint32_t marks = buffer.arc(worker.arc).marks;
                if ((marks & kError) != 0) {
                    continue;
                }
                const Origin origin(source.rank, static_cast<std::uint32_t>(worker.arc - first), marks);
                const Insertion done = run_.store.insert_shared(buffer.state(worker.arc), buffer.hash(worker.arc),
                                                                origin, worker.part, worker.likely[worker.arc]);
                if (done.result == Insert::kFull) {
                    worker.full = true;
                    pause_ = true;
                    going = false;
                    break;
                }
                fresh += done.result == Insert::kFresh;
            }
            layer_.add_children(source.rank, worker.part.gained); // a rank is one thread's
        }
        if (going) {
            worker.forget_arcs();
        }
        note(worker.fresh, fresh);
        return going;
    }

    void prefetch(Worker& worker) const {
        SuccessorBuffer& buffer = worker.buffer;
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if constexpr (!HashingSpace<S>) {
                const bool has_target = (buffer.arc(i).marks & kError) == 0;
                buffer.set_hash(i, has_target ? run_.store.hash(buffer.state(i)) : 0);
            }
            run_.store.prefetch(buffer.hash(i));
        }
        worker.likely.resize(buffer.size());
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            worker.likely[i] = run_.store.likely_shared(buffer.hash(i));
        }
    }

    // What the first thread does beside its work: looks at the clock, tells of progress.
    void watch() {
        std::uint64_t expanded = 0, generated = 0, fresh = 0;
        for (const Worker& worker : workers_) {
            expanded += worker.expanded.load(std::memory_order_relaxed);
            generated += worker.generated.load(std::memory_order_relaxed);
            fresh += worker.fresh.load(std::memory_order_relaxed);
        }
        run_.statistics.expanded = base_.expanded + expanded;
        run_.statistics.generated = base_.generated + generated;
        run_.statistics.stored = base_.stored + fresh;
        run_.pulse(layer_.size() - std::min<std::size_t>(layer_.size(), expanded) + fresh);
        if (!run_.going()) {
            pause_ = true;
        }
    }

    // The end of a layer

    // Counts what one thread would have expanded up to a violation.
    void conclude(Origin violation) {
        Statistics& statistics = run_.statistics;
        statistics.expanded = base_.expanded;
        statistics.generated = base_.generated;
        statistics.stored = base_.stored;
        const std::size_t last = violation.rank() / stretch_size_;
        for (std::size_t i = 0; i < counts_.size() && i <= last; ++i) {
            counts_[i].add_to(statistics);
        }
    }
    void count_fresh(Origin origin) {
        run_.count_fresh((origin.is_goal() ? kGoal : kNone) | (origin.is_transient() ? kTransient : kNone));
    }

    void end_layer() {
        for (const Worker& worker : workers_) {
            frame_.note_cut(worker.cut);
            for (const std::uint32_t rank : worker.part.replaced) {
                layer_.remove_child(rank);
            }
        }
        const auto note = [this](const LayerOrder::Counted& counted) {
            const std::lock_guard lock(mutex_);
            run_.statistics.stored += counted.states;
            run_.statistics.goals += counted.goals;
            run_.statistics.transient += counted.transient;
        };
        if (!layer_.advance(run_.store, by_all(), note)) {
            return run_.end(Status::kMemory);
        }
        frame_.adapt(by_all());
        is_whole_ = run_.going();
    }

    // Calls part(first, end) for parts of 0 .. count that do not overlap.
    template <class Part>
    void in_parallel(std::size_t count, const Part& part) {
        if (count < smallest_layer_ || team_.size() == 1) {
            return part(0, count);
        }
        team_.run(
            [&](std::size_t number) { part(count * number / team_.size(), count * (number + 1) / team_.size()); });
    }
    auto by_all() {
        return [this](std::size_t count, const auto& part) { in_parallel(count, part); };
    }

    // The trace to a violation: actions are looked up in the full layout, which has room for all that lies between.
    void report(Origin violation) {
        S& space = run_.space;
        Outcome& outcome = run_.outcome();
        outcome.path = path_to(run_.store, layer_[violation.rank()]);
        if constexpr (RepackableSpace<S>) {
            use_full_layout(space, outcome.path);
        }
        SuccessorBuffer arcs(space.words());
        for (std::size_t i = 1; i < outcome.path.size(); ++i) {
            arcs.clear();
            space.expand(outcome.path.state(i - 1), arcs);
            outcome.path.actions[i] = arcs.arc(outcome.path.actions[i]).action;
        }
        arcs.clear();
        const std::uint32_t marks = space.expand(outcome.path.state(outcome.path.size() - 1), arcs);
        if (violation.position() == kStateItself) {
            outcome.found = marks & run_.stop();
        } else {
            run_.add_violation(arcs, violation.position());
        }
        run_.end_found();
    }

    Run<S, T>& run_;
    LayerFrame<S, T> frame_;
    std::size_t smallest_layer_; // smaller ones are not worth waking others
    ThreadTeam team_;
    LayerOrder layer_;
    std::vector<Worker> workers_;
    Statistics base_; // before the layer
    decltype(tally_of(std::declval<const S&>())) base_tally_{};
    std::size_t stretch_size_ = 1;
    std::vector<Counts> counts_; // by stretch of the layer
    std::atomic<std::size_t> next_stretch_ = 0;
    std::atomic<std::uint64_t> found_ = kNothing; // the first violation known, as an origin
    std::atomic<bool> pause_ = false;
    std::mutex mutex_; // of statistics at the end of a layer
    bool alone_ = false;
    bool is_whole_ = true;
};

} // namespace beeline
