// The search that needs no advice: finds a violation quickly, then a short one, and proves that there is none at little
// more than the price of breadth-first search.
//
// First a short greedy search that looks at each state before it waits: where the estimate is good, no more is needed.
// Then two searches share one store while nothing is found: a directed one, and a sweep that expands all states in the
// order in which they were stored. Neither waits for the other: the sweep passes over what the directed search
// expanded. The directed search goes on while its estimates get better, and otherwise has a fixed share of the work.
// Now and then a random walk, which stores nothing, tries where neither would come in reasonable time. A violation is
// then made shorter, by leaving out steps and by A* with its length as a bound, until it is proven to be shortest or
// the work allowed is done. Work is counted, not timed, so that the same run gives the same result everywhere.
#pragma once

#include "search/best_first.hpp"
#include "search/breadth_first.hpp"
#include "search/elimination.hpp"
#include "search/walk.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace beeline {

struct AnytimeOptions {
    BestFirstOptions directed;        // without an estimate the search is breadth-first
    std::shared_ptr<Estimator> bound; // never says too much about the violations that `covered` names
    std::shared_ptr<Estimator> blind; // says 0
    std::uint32_t covered = kNone;
    std::uint32_t improve = 100; // per cent of the work of finding that may be spent on improving
};

template <Space S, StateStore T>
class Anytime {
public:
    static constexpr std::size_t kSideBytes = BestFirst<S, T>::kSideBytes;

    Anytime(Run<S, T>& run, const AnytimeOptions& options)
        : run_(run), options_(options), step_(std::max<std::uint64_t>(1, run.space.words() / kSmallState)),
          incumbent_(run) {
        options_.directed.patience = Patience::kNever;
    }

    void search() {
        if (options_.directed.estimators.empty() || run_.limits().bounds_depth()) {
            BreadthFirst<S, T>(run_).search();
            run_.outcome().proven = run_.outcome().status == Status::kFound;
            return;
        }
        const std::uint64_t spent = find();
        bool proven = false;
        if (incumbent_.any() && run_.going() && options_.improve > 0) {
            proven = improve(std::max(kLeastImprovement / step_, spent / 100 * options_.improve));
        }
        if (incumbent_.any()) {
            run_.outcome().hurried = !run_.going();
            incumbent_.report(proven);
        }
    }

private:
    // In generated steps, of which there are some millions in a second where states are small; with larger ones, such
    // as zones of many clocks, fewer steps are as much work.
    static constexpr std::size_t kSmallState = 2048; // words
    static constexpr std::uint64_t kHeadStart = 50'000;
    static constexpr std::uint64_t kShare =
        4; // the sweep does this many times the work of a directed search that stalls
    static constexpr std::uint64_t kRare = 8; // and this many times that of random walks
    static constexpr std::uint64_t kQuick = 20'000;
    static constexpr std::uint64_t kLeastImprovement = 500'000;
    static constexpr std::size_t kBatch = is_slow<S> ? 1 : 256;

    struct Source {
        Index state;
        std::size_t arcs_end;
    };

    // Finding

    std::uint64_t find() {
        BestFirst<S, T> directed(run_, options_.directed, &incumbent_);
        if (options_.directed.lazy) {
            quick(directed);
        }
        Walk<S, T> walk(run_, {options_.directed.estimators.front(), options_.directed.seed}, &incumbent_);
        directed.begin();
        bool stuck = false;
        while (run_.going() && !incumbent_.any()) {
            if (!stuck && may_go_on(directed)) {
                stuck = !directed.step();
            } else if (kHeadStart / step_ + kRare * walk.work() <= swept_) {
                walk.search_once();
            } else if (!sweep(directed)) {
                run_.end(Status::kExhausted);
            }
        }
        return directed.work() + swept_ + walk.work();
    }

    // Where the estimate is good, looking at each state before it waits leads to a violation in no time.
    void quick(BestFirst<S, T>& directed) {
        BestFirstOptions eager = options_.directed;
        eager.lazy = eager.preferred = false;
        eager.estimators.resize(1);
        eager.ties = Ties::kFifo;
        BestFirst<S, T> search(run_, eager, &incumbent_);
        search.begin();
        while (!incumbent_.any() && search.work() < kQuick / step_ && search.step()) {
        }
        for (std::size_t i = 0; run_.going() && i < run_.store.size(); ++i) {
            if (!directed.note_met(static_cast<Index>(i), search.depth_of(static_cast<Index>(i)))) {
                run_.end(Status::kMemory);
            }
        }
    }

    bool may_go_on(const BestFirst<S, T>& directed) const {
        const std::uint64_t work = directed.work();
        return work <= kHeadStart / step_ + swept_ / kShare || work <= 2 * directed.last_progress();
    }

    // Expands a batch of states that nobody expanded yet. False if there are none left.
    bool sweep(BestFirst<S, T>& directed) {
        run_.buffer.clear();
        sources_.clear();
        bool any = false;
        for (; run_.going() && next_ < run_.store.size() && run_.buffer.size() < kBatch; ++next_) {
            const auto index = static_cast<Index>(next_);
            if (directed.is_done(index) || !run_.store.alive(index)) {
                continue;
            }
            any = true;
            expand(directed, index);
            if (incumbent_.any()) {
                return true;
            }
            run_.pulse(run_.store.size() - next_);
        }
        flush(directed);
        return any;
    }

    void expand(BestFirst<S, T>& directed, Index index) {
        const std::size_t first = run_.buffer.size();
        const std::uint32_t depth = directed.depth_of(index);
        run_.reach_depth(depth);
        directed.note_expanded(index);
        const std::uint32_t marks =
            run_.expand_through(index, true, [&directed](Index known) { return directed.is_done(known); });
        sources_.push_back({index, run_.buffer.size()});
        swept_ += run_.buffer.size() - first;
        incumbent_.offer_state(index, depth, marks);
        incumbent_.offer_arcs(index, first, depth + 1);
    }

    // As in breadth-first search: the cache misses of a batch overlap.
    void flush(BestFirst<S, T>& directed) {
        const SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0) {
                run_.store.prefetch(buffer.hash(i));
            }
        }
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0) {
                run_.store.prefetch_record(buffer.hash(i));
            }
        }
        std::size_t arc = 0;
        for (const Source& source : sources_) {
            const std::uint32_t depth = directed.depth_of(source.state) + 1;
            for (; run_.going() && arc < source.arcs_end; ++arc) {
                insert(directed, source.state, arc, depth);
            }
        }
    }

    void insert(BestFirst<S, T>& directed, Index source, std::size_t i, std::uint32_t depth) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if ((arc.marks & kError) != 0) {
            return;
        }
        const Insertion done = run_.store.insert(run_.buffer.state(i), run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kFull) {
            run_.end_full();
        } else if (done.result == Insert::kFresh) {
            run_.count_fresh(arc.marks);
            if (!directed.note_met(done.index, depth)) {
                run_.end(Status::kMemory);
            }
        }
    }

    // Improving

    // Whether the best violation is proven to be a shortest one.
    bool improve(std::uint64_t budget) {
        // A bound on the way to one kind of violation says nothing about those of another kind.
        const bool covered = options_.bound != nullptr && (run_.stop() & ~options_.covered) == 0;
        BestFirstOptions exact;
        exact.estimators = {covered ? options_.bound : options_.blind};
        exact.bound = exact.estimators.front();
        exact.priority = Priority::kSum;
        exact.patience = Patience::kPopped;
        exact.reopen = true;
        exact.prune = covered;
        if (proven_at_once(exact)) {
            return spend(exact, budget);
        }
        Elimination<S, T>(run_, incumbent_).search(budget / 4);
        if (run_.going() && options_.directed.estimators.front() != exact.bound) {
            // First by the better guide: a shorter way found early saves most of the proof.
            BestFirstOptions guided = exact;
            guided.estimators = {options_.directed.estimators.front()};
            spend(guided, budget / 2);
        }
        return run_.going() && spend(exact, budget);
    }

    bool proven_at_once(const BestFirstOptions& options) {
        SuccessorBuffer first(run_.space.words());
        run_.space.initial(first);
        std::int32_t least = kDeadEnd;
        for (std::size_t i = 0; i < first.size(); ++i) {
            least = std::min(least, options.bound->estimate(first.state(i)));
        }
        return least >= static_cast<std::int64_t>(incumbent_.length());
    }

    // Runs a search for at most that much work. True if it came to its end.
    bool spend(const BestFirstOptions& options, std::uint64_t budget) {
        BestFirst<S, T> search(run_, options, &incumbent_);
        search.begin();
        while (search.work() < budget) {
            if (!search.step()) {
                return run_.going();
            }
        }
        return false;
    }

    Run<S, T>& run_;
    AnytimeOptions options_;
    std::uint64_t step_; // the work of one, next to one with small states
    Incumbent<S, T> incumbent_;
    std::vector<Source> sources_;
    std::size_t next_ = 0;    // the sweep has passed all states before it
    std::uint64_t swept_ = 0; // its work
};

} // namespace beeline
