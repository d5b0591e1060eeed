// Nested depth-first search by several threads (Evangelista, Laarman, Petrucci and van de Pol, Improved multi-core
// nested depth-first search, ATVA 2012).
//
// Every thread does the whole search, in an order of its own, and passes over what others have done: blue states were
// left by some outer search, red ones lie on no accepting cycle. What lies on its path (cyan) and what its inner search
// has met (pink) is a thread's own affair. An inner search's states become red together at its end, and only when the
// accepting ones among them are red by the searches of others; so nobody relies on a search that might still find a
// cycle. The verdict is that of one thread; which cycle is found, and how much is looked at twice, is not.
//
// Rounds end where the table or the layout of states must change, as in breadth-first search; a state whose expansion
// was interrupted is expanded again.
#pragma once

#include "search/driver.hpp"
#include "search/nested_depth_first.hpp"
#include "search/path_stack.hpp"
#include "search/random.hpp"
#include "search/thread_team.hpp"
#include "search/tight_layout.hpp"
#include "state/shared_store.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace beeline {

// `Bits` has room for what is known of a state: three facts, and two of each thread.
template <Space S, class T, class Bits>
class ParallelNested {
public:
    static constexpr std::size_t kSideBytes = sizeof(Bits);
    static constexpr std::size_t kMostThreads = (8 * sizeof(Bits) - 3) / 2;

    ParallelNested(Run<S, T>& run, const NestedOptions& options, std::size_t threads)
        : run_(run), weak_(options.weak), team_(std::min(threads, kMostThreads)), layout_(run), facts_(run.memory()) {
        run.outcome().threads = static_cast<std::uint32_t>(team_.size());
        for (std::size_t number = 0; number < team_.size(); ++number) {
            workers_.push_back(std::make_unique<Worker>(run, number));
        }
    }

    void search() {
        begin();
        while (run_.going() && round()) {
        }
        conclude();
        if (found_.load()) { // worth more than a limit
            report();
        } else if (run_.going()) {
            run_.end(is_cut() ? Status::kDepth : Status::kExhausted);
        }
    }

private:
    static constexpr Bits kBlue = 1, kRed = 2, kAccepting = 4;
    static constexpr std::size_t kWatchPeriod = 64; // steps of the first thread

    struct AllRed {
        bool value = true; // of the arcs that were passed
    };

    struct alignas(64) Worker {
        Worker(Run<S, T>& run, std::size_t number)
            : clone(number == 0 ? nullptr : run.space.clone()), space(number == 0 ? &run.space : clone.get()),
              buffer(run.space.words()), blue(run.memory()), red(run.memory()),
              cyan(static_cast<Bits>(Bits{8} << 2 * number)), pink(static_cast<Bits>(Bits{16} << 2 * number)),
              random(number) {}

        std::unique_ptr<S> clone;
        S* space;
        SuccessorBuffer buffer;
        PathStack<Follow, AllRed> blue;
        PathStack<Follow> red;
        std::vector<Index> met; // by the inner search under way
        Bits cyan, pink;
        Random random;
        std::size_t next_start = 0;
        bool must_expand = false; // the state on which the path ends
        bool awaits = false;      // the end of others' inner searches
        bool done = false;
        bool cut = false;
        SharedStore::Part part;
        bool full = false, out_of_memory = false;
        std::optional<TooNarrow> narrow;
        Counts counts;
        std::uint64_t goals = 0, transient = 0, depth = 0;
        std::atomic<std::uint64_t> expanded = 0, generated = 0, fresh = 0; // for whoever watches
    };

    // What one of the threads has found: a cycle, or a step or state at which a search ends.
    struct Finding {
        Worker* worker = nullptr;
        Follow back{};                  // the arc that closes the cycle,
        std::optional<std::size_t> arc; // or the one that is sought, in the worker's buffer
        std::uint32_t marks = kNone;
    };

    // Rounds

    void begin() {
        run_.initial();
        SuccessorBuffer& buffer = run_.buffer;
        for (std::size_t i = 0; run_.going() && i < buffer.size(); ++i) {
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
                starts_.push_back({done.index, arc.action});
            }
        }
        base_ = run_.statistics;
        run_.store.ignore_layers();
        make_room();
    }

    // All threads work until all are done or something must be done by one; false if nothing is left to do.
    bool round() {
        pause_ = false;
        team_.run([this](std::size_t number) { work(*workers_[number]); });
        if (found_ || !run_.going()) {
            return false;
        }
        keep_holes();
        bool full = false, done = true;
        const TooNarrow* narrow = nullptr;
        for (const auto& worker : workers_) {
            if (worker->out_of_memory) {
                run_.end(Status::kMemory);
                return false;
            }
            full |= worker->full;
            done &= worker->done;
            narrow = worker->narrow && narrow == nullptr ? &*worker->narrow : narrow;
        }
        if (narrow != nullptr) {
            widen(TooNarrow(*narrow));
        } else if (full) {
            make_room();
        } else if (!done) {
            tighten();
        }
        return !done;
    }

    void keep_holes() {
        std::vector<SharedStore::Room> rooms;
        for (const auto& worker : workers_) {
            rooms.push_back(worker->part.room);
        }
        run_.store.keep_holes(std::move(rooms));
    }

    void make_room() {
        for (const auto& worker : workers_) {
            worker->full = false;
        }
        if (!run_.going()) {
            return;
        }
        if (!run_.store.make_room_for(workers_.size(), by_all())) {
            run_.end_full();
        } else if (!facts_.ensure(run_.store.room())) {
            run_.end(Status::kMemory);
        }
    }

    void widen(const TooNarrow& reason) {
        if constexpr (RepackableSpace<S>) {
            run_.widen(reason, by_all());
            take_layout();
        }
    }
    void tighten() {
        layout_.adapt(by_all());
        take_layout();
    }
    void take_layout() {
        for (const auto& worker : workers_) {
            worker->narrow.reset();
            if (worker->clone != nullptr && run_.going()) {
                worker->space->follow(run_.space);
            }
            if (worker->buffer.words() != run_.space.words()) {
                worker->buffer = SuccessorBuffer(run_.space.words());
            }
        }
    }

    auto by_all() {
        return [this](std::size_t count, const auto& part) {
            team_.run(
                [&](std::size_t number) { part(count * number / team_.size(), count * (number + 1) / team_.size()); });
        };
    }

    // One thread

    void work(Worker& worker) {
        try {
            for (std::size_t steps = 1; !pause_.load(std::memory_order_relaxed) && step(worker); ++steps) {
                if (is_first(worker) && steps % kWatchPeriod == 0) {
                    watch();
                }
            }
            while (is_first(worker) && worker.done && !pause_ && busy_.load() > 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                watch();
            }
        } catch (...) {
            pause_ = true;
            throw;
        }
    }

    bool is_first(const Worker& worker) const { return &worker == workers_.front().get(); }

    // False if it is done, or must wait for what only happens between rounds.
    bool step(Worker& worker) {
        if (worker.must_expand) {
            return expand(worker);
        }
        if (!worker.red.empty()) {
            return go_on_inside(worker);
        }
        if (worker.awaits) {
            return end_inner_search(worker);
        }
        return worker.blue.empty() ? begin_next(worker) : go_on(worker);
    }

    bool begin_next(Worker& worker) {
        while (worker.next_start < starts_.size()) {
            const Follow& start = starts_[worker.next_start++];
            if ((bits(start.target) & kBlue) == 0) {
                add(start.target, worker.cyan);
                worker.must_expand = true;
                return has_memory(worker, worker.blue.begin(start));
            }
        }
        worker.done = true;
        --busy_;
        return false;
    }

    // The outer search.
    bool go_on(Worker& worker) {
        auto& path = worker.blue;
        if (!path.has_arc()) {
            return leave(worker);
        }
        const Follow arc = path.arc();
        const Bits known = bits(arc.target);
        if ((known & worker.cyan) != 0) {
            if (((known | bits(path.state())) & kAccepting) != 0) {
                return find({&worker, arc, {}, kCycle});
            }
        } else if ((known & kBlue) == 0) {
            if (path.depth() <= run_.limits().depth) {
                add(arc.target, worker.cyan);
                worker.must_expand = true;
                return has_memory(worker, path.enter()); // the arc is looked at again when that is done
            }
            worker.cut = true;
        }
        path.fact().value &= (known & kRed) != 0;
        path.pass_arc();
        return true;
    }

    bool leave(Worker& worker) {
        const Index state = worker.blue.state();
        const bool accepting = !weak_ && (bits(state) & kAccepting) != 0;
        add(state, kBlue);
        if (!accepting) {
            return end_visit(worker);
        }
        if (worker.blue.fact().value) { // an inner search would meet nothing
            add(state, kRed);
            return end_visit(worker);
        }
        meet(worker, state);
        worker.must_expand = worker.awaits = true;
        return has_memory(worker, worker.red.begin({state, 0}));
    }

    bool end_visit(Worker& worker) {
        remove(worker.blue.state(), worker.cyan);
        worker.blue.leave();
        return true;
    }

    // The inner search.
    bool go_on_inside(Worker& worker) {
        auto& path = worker.red;
        if (!path.has_arc()) {
            path.leave();
            return true;
        }
        const Follow arc = path.arc();
        const Bits known = bits(arc.target);
        if ((known & worker.cyan) != 0) {
            return find({&worker, arc, {}, kCycle});
        }
        if ((known & (worker.pink | kRed)) != 0) {
            path.pass_arc();
            return true;
        }
        meet(worker, arc.target);
        worker.must_expand = true;
        return has_memory(worker, path.enter());
    }

    void meet(Worker& worker, Index state) {
        add(state, worker.pink);
        worker.met.push_back(state);
    }

    bool end_inner_search(Worker& worker) {
        const Index seed = worker.blue.state();
        for (const Index state : worker.met) {
            if (state != seed && (bits(state) & (kAccepting | kRed)) == kAccepting) {
                std::this_thread::yield();
                return true; // and ask again
            }
        }
        for (const Index state : worker.met) {
            add(state, kRed);
            remove(state, worker.pink);
        }
        worker.met.clear();
        worker.awaits = false;
        return end_visit(worker);
    }

    // Finds the arcs of the state on which the path ends; all targets are stored.
    bool expand(Worker& worker) {
        const bool inner = !worker.red.empty();
        const Index state = inner ? worker.red.state() : worker.blue.state();
        worker.buffer.clear();
        std::uint32_t marks = kNone;
        try {
            marks = worker.space->expand(run_.store.state(state), worker.buffer);
        } catch (const TooNarrow& reason) {
            if constexpr (!RepackableSpace<S>) {
                throw;
            }
            worker.narrow = reason;
            pause_ = true;
            return false;
        }
        const bool stored = inner ? keep_arcs(worker, worker.red, state) : keep_arcs(worker, worker.blue, state);
        if (!stored) {
            pause_ = true;
            return false;
        }
        if ((marks & kAccept) != 0) {
            add(state, kAccepting);
        }
        worker.must_expand = false;
        count(worker, marks, !inner);
        return inner || !is_sought(worker, marks);
    }

    bool keep_arcs(Worker& worker, auto& path, Index state) {
        SuccessorBuffer& buffer = worker.buffer;
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if constexpr (!HashingSpace<S>) {
                const bool has_target = (buffer.arc(i).marks & kError) == 0;
                buffer.set_hash(i, has_target ? run_.store.hash(buffer.state(i)) : 0);
            }
            run_.store.prefetch(buffer.hash(i));
        }
        path.drop_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = buffer.arc(i);
            if ((arc.marks & kError) != 0) {
                continue;
            }
            const Insertion done = run_.store.insert_shared(buffer.state(i), buffer.hash(i),
                                                            Origin::of_arc(state, arc.action), worker.part);
            if (done.result == Insert::kFull) {
                worker.full = true;
                return false;
            }
            if (done.result == Insert::kFresh) {
                note(worker.fresh, 1);
                worker.goals += (arc.marks & kGoal) != 0;
                worker.transient += (arc.marks & kTransient) != 0;
            }
            if (!path.add({done.index, arc.action})) {
                worker.out_of_memory = true;
                return false;
            }
        }
        if (is_first(worker)) {
            path.order_arcs();
        } else {
            path.shuffle_arcs(worker.random);
        }
        return true;
    }

    // Whether the search ends at a step or at the state itself, beside cycles.
    bool is_sought(Worker& worker, std::uint32_t marks) {
        for (std::size_t i = 0; i < worker.buffer.size(); ++i) {
            if ((worker.buffer.arc(i).marks & run_.stop()) != 0) {
                find({&worker, {}, i, kNone});
                return true;
            }
        }
        if ((marks & run_.stop()) != 0) {
            find({&worker, {}, {}, marks & run_.stop()});
            return true;
        }
        return false;
    }

    bool has_memory(Worker& worker, bool granted) {
        if (!granted) {
            worker.out_of_memory = pause_ = true;
        }
        worker.depth = std::max<std::uint64_t>(worker.depth, worker.blue.depth() - 1);
        return granted;
    }

    // The first finding counts. Returns false: the search is over.
    bool find(const Finding& finding) {
        const std::lock_guard lock(mutex_);
        if (!found_) {
            finding_ = finding;
            found_ = true;
        }
        pause_ = true;
        return false;
    }

    // Facts

    std::atomic_ref<Bits> fact(Index state) { return std::atomic_ref<Bits>(facts_[state]); }
    Bits bits(Index state) { return fact(state).load(); }
    void add(Index state, Bits more) { fact(state).fetch_or(more); }
    void remove(Index state, Bits gone) { fact(state).fetch_and(static_cast<Bits>(~gone)); }

    // Counting

    static void note(std::atomic<std::uint64_t>& counter, std::uint64_t more) {
        counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }

    void count(Worker& worker, std::uint32_t marks, bool first_time) {
        const SuccessorBuffer& buffer = worker.buffer;
        note(worker.expanded, 1);
        note(worker.generated, buffer.size() + repeated_ways(*worker.space));
        if (first_time) {
            worker.counts.deadlocks += (marks & kDeadlock) != 0;
            for (std::size_t i = 0; i < buffer.size(); ++i) {
                worker.counts.errors += (buffer.arc(i).marks & kError) != 0;
            }
        }
    }

    // What the first thread does beside its work: looks at the clock, tells of progress.
    void watch() {
        add_up();
        run_.pulse(workers_[0]->blue.depth());
        const bool tightens = !tightened_ && run_.statistics.stored >= sample();
        tightened_ |= tightens;
        if (!run_.going() || tightens) {
            pause_ = true;
        }
    }
    std::size_t sample() const {
        if constexpr (RepackableSpace<S>) {
            return run_.space.sample() + team_.size() * 64; // threads leave holes
        } else {
            return std::numeric_limits<std::size_t>::max();
        }
    }

    void add_up() {
        Statistics& statistics = run_.statistics;
        statistics.expanded = base_.expanded;
        statistics.generated = base_.generated;
        statistics.stored = base_.stored;
        for (const auto& worker : workers_) {
            statistics.expanded += worker->expanded.load(std::memory_order_relaxed);
            statistics.generated += worker->generated.load(std::memory_order_relaxed);
            statistics.stored += worker->fresh.load(std::memory_order_relaxed);
        }
    }

    void conclude() {
        add_up();
        for (const auto& worker : workers_) {
            worker->counts.add_to(run_.statistics);
            run_.statistics.goals += worker->goals;
            run_.statistics.transient += worker->transient;
            run_.reach_depth(worker->depth);
        }
    }

    bool is_cut() const {
        return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) { return worker->cut; });
    }

    // As NestedDepthFirst does it.
    void report() {
        Worker& worker = *finding_.worker;
        Path& path = run_.outcome().path;
        run_.go_on(); // whatever limit was met meanwhile
        if (finding_.arc) {
            path = path_to(run_.store, worker.blue.state());
            run_.add_violation(worker.buffer, *finding_.arc);
            return run_.end_found();
        }
        if (finding_.marks != kCycle) {
            path = path_to(run_.store, worker.blue.state());
            run_.outcome().found = finding_.marks;
            return run_.end_found();
        }
        path = path_to(run_.store, finding_.back.target);
        const std::size_t start = path.size() - 1;
        worker.blue.append_to(path, worker.blue.position(finding_.back.target) + 1, run_.store);
        if (!worker.red.empty()) {
            worker.red.append_to(path, 1, run_.store); // its first state is the last one of the outer search
        }
        path.append(finding_.back.action, run_.store.state(finding_.back.target));
        run_.end_at_cycle(start);
    }

    Run<S, T>& run_;
    bool weak_;
    ThreadTeam team_;
    TightLayout<S, T> layout_;
    Column<Bits> facts_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Follow> starts_;
    Statistics base_; // of the initial states
    std::atomic<std::size_t> busy_ = team_.size();
    std::atomic<bool> pause_ = false, found_ = false;
    bool tightened_ = false; // or about to be
    std::mutex mutex_;       // of the finding
    Finding finding_;
};

template <Space S, class T>
using PairNested = ParallelNested<S, T, std::uint8_t>;
template <Space S, class T>
using TeamNested = ParallelNested<S, T, std::uint32_t>;

} // namespace beeline
