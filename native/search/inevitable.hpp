// Looks for a run that avoids something for ever, in a space that is confined to such runs: one that stays in a state
// (the space marks it), or that comes back to where it was.
//
// Depth-first. A state whose runs all come to an end is good, and so is every smaller zone: what a good state covers is
// not looked at again. A cycle closes where a state on the way is covered by the next one: each point of the larger
// zone was reached from the smaller one, so each of the smaller one was as well, over and over, and there are finitely
// many regions. The other way round nothing follows, since no point of the smaller zone need come back: there, zones
// have to be told apart (Laarman, Olesen, Dalsgaard, Larsen, van de Pol, "Multi-Core Emptiness Checking of Timed Buechi
// Automata Using Inclusion Abstraction", CAV 2013; Herbreteau, Srivathsan, Tran, Walukiewicz, "Why Liveness for Timed
// Automata Is Hard, and What We Can Do About It", FSTTCS 2016).
#pragma once

#include "search/closing_arc.hpp"
#include "search/pending.hpp"
#include "search/run.hpp"
#include "search/shorter_run.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <vector>

namespace beeline {

template <ConfinedSpace S, StateStore T>
class Inevitable {
public:
    static constexpr std::size_t kSideBytes = 1;

    // With `everywhere` runs begin wherever the space says, in all reachable states; otherwise at the start.
    Inevitable(Run<S, T>& run, bool everywhere)
        : run_(run), everywhere_(everywhere), pending_(run.space.words(), run.memory()), colours_(run.memory()) {}

    void search() {
        if (everywhere_) {
            search_everywhere();
        } else {
            run_.initial();
            search_on(0);
            shorten([this](SuccessorBuffer& arcs) { run_.space.initial(arcs); });
        }
        if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
        const Outcome& outcome = run_.outcome();
        run_.outcome().proven =
            outcome.status == Status::kFound && outcome.path.size() == 1 && (outcome.found & kError) == 0;
    }

private:
    static constexpr std::uint8_t kOnPath = 1, kGood = 2;
    static constexpr std::size_t kSecondLook = 1000; // states that are always looked at for a shorter run
    using Whole = typename S::Whole;                 // the space without its confinement

    // All reachable states, breadth-first, so that the way to the beginning is short.
    void search_everywhere() {
        Whole whole(run_.space);
        auto seen = whole.make_store(run_.memory(), run_.limits().states, 0);
        auto all = run_.template beside<Whole, decltype(seen)>(whole, seen);
        all.initial();
        take_in(all, kNoIndex);
        std::size_t layer_end = all.store.size();
        std::uint32_t depth = 0;
        for (std::size_t i = 0; run_.going() && i < seen.size(); ++i) {
            if (i == layer_end) {
                layer_end = seen.size();
                run_.reach_depth(++depth);
            }
            if (const auto index = static_cast<Index>(i); seen.alive(index)) {
                begin_in(seen, index, depth);
                expand_whole(all, index, depth);
            }
            run_.pulse(seen.size() - i);
        }
        run_.statistics.stored -= seen.replaced();
    }

    template <class Store>
    void begin_in(const Store& seen, Index index, std::uint32_t depth) {
        run_.buffer.clear();
        run_.space.begin(seen.state(index), run_.buffer);
        search_on(depth);
        if (run_.outcome().status == Status::kFound) {
            shorten([&](SuccessorBuffer& arcs) { run_.space.begin(seen.state(index), arcs); });
            follow(path_to(seen, index));
        }
    }

    // Depth-first runs are long. `begin` gives the arcs that they begin with.
    template <class Begin>
    void shorten(const Begin& begin) {
        if (run_.outcome().status != Status::kFound || run_.outcome().path.size() < 2) {
            return;
        }
        T store = run_.space.make_store(run_.memory(), run_.limits().states, 0);
        auto brief = run_.template beside<S, T>(run_.space, store);
        begin(brief.buffer);
        ShorterRun<S, T>(run_, brief, kSecondLook + run_.store.size()).search();
    }

    // Puts the way to where the run begins before it.
    void follow(Path way) {
        Outcome& outcome = run_.outcome();
        Path rest = std::move(outcome.path);
        const std::size_t before = way.size() - 1;
        rest.actions.front() = way.actions.back();
        way.actions.pop_back();
        way.states.resize(before * way.words);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            way.append(rest.actions[i], rest.state(i));
        }
        outcome.path = std::move(way);
        outcome.since = before;
        outcome.cycle += outcome.cycle < 0 ? 0 : static_cast<std::int64_t>(before);
    }

    template <class All>
    void expand_whole(All& all, Index index, std::uint32_t depth) {
        if (!run_.going()) {
            return;
        }
        all.buffer.clear();
        all.expand(index);
        if (run_.going() && depth == run_.limits().depth) {
            cut_ |= all.buffer.size() > 0;
        } else if (run_.going()) {
            take_in(all, index);
        }
    }

    template <class All>
    void take_in(All& all, Index parent) {
        for (std::size_t i = 0; run_.going() && i < all.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = all.buffer.arc(i);
            if ((arc.marks & kError) != 0) {
                continue;
            }
            const Word* target = all.buffer.state(i);
            const Insertion done = all.store.insert(target, all.store.hash(target), parent, arc.action);
            count(done, all.store.at_state_limit());
        }
    }

    void count(const Insertion& done, bool at_limit) {
        if (done.result == Insert::kFresh) {
            run_.count_fresh(kNone);
        } else if (done.result == Insert::kFull) {
            run_.end(at_limit ? Status::kStates : Status::kMemory);
        }
    }

    // All runs that begin with the arcs in the buffer.
    void search_on(std::uint32_t depth) {
        first_depth_ = depth;
        if (run_.going()) {
            push_arcs(kNoIndex, depth);
        }
        while (run_.going() && !pending_.empty()) {
            follow_top();
        }
        if (run_.going()) {
            leave(depth);
        }
    }

    void follow_top() {
        const PendingStack::Entry entry = pending_.top();
        leave(entry.depth);
        const Word* target = pending_.top_target();
        const std::uint64_t hash = run_.store.hash(target);
        if (is_good(target, hash)) {
            return pending_.pop();
        }
        const Insertion done = run_.store.insert_beside(target, hash, entry.parent, entry.action);
        pending_.pop();
        count(done, run_.store.at_state_limit());
        if (run_.going() && !colours_.ensure(done.index)) {
            run_.end(Status::kMemory);
        }
        if (run_.going()) {
            visit(done.index, entry.depth);
            run_.pulse(pending_.size());
        }
    }

    void visit(Index index, std::uint32_t depth) {
        run_.reach_depth(depth);
        path_.push_back(index);
        colours_[index] = kOnPath;
        run_.buffer.clear();
        run_.expand(index);
        if (!run_.going()) {
            return;
        }
        run_.hash_arcs();
        if (close_cycle(index)) {
            return;
        }
        if (depth == run_.limits().depth) {
            cut_ |= run_.buffer.size() > 0;
        } else {
            push_arcs(index, depth + 1);
        }
    }

    // States on the way from this depth on have been left behind: no run goes on for ever from there.
    void leave(std::uint32_t depth) {
        for (; path_.size() > depth - first_depth_; path_.pop_back()) {
            colours_[path_.back()] = kGood;
        }
    }

    bool is_good(const Word* state, std::uint64_t hash) const {
        return run_.store.find_covering(state, hash, [this](Index known) { return colours_[known] == kGood; }) !=
               kNoIndex;
    }

    bool close_cycle(Index source) {
        const auto closing =
            closing_arc(run_.store, run_.buffer, [this](Index known) { return colours_[known] == kOnPath; });
        if (closing) {
            report_cycle(source, closing->arc, closing->met);
        }
        return closing.has_value();
    }

    void report_cycle(Index source, std::size_t arc, Index met) {
        Path& path = run_.outcome().path;
        path = path_to(run_.store, source);
        path.append(run_.buffer.arc(arc).action, run_.buffer.state(arc));
        run_.end_at_cycle(static_cast<std::size_t>(std::find(path_.begin(), path_.end(), met) - path_.begin()));
    }

    void push_arcs(Index source, std::uint32_t depth) {
        const SuccessorBuffer& buffer = run_.buffer;
        for (std::size_t i = buffer.size(); i-- > 0;) {
            const SuccessorBuffer::Arc& arc = buffer.arc(i);
            if ((arc.marks & kError) == 0 && !pending_.push({source, depth, arc.action, arc.marks}, buffer.state(i))) {
                return run_.end(Status::kMemory);
            }
        }
    }

    Run<S, T>& run_;
    bool everywhere_;
    PendingStack pending_;
    Column<std::uint8_t> colours_; // by state: on the path, or good; 0 for neither
    std::vector<Index> path_;
    std::uint32_t first_depth_ = 0; // of the states with which the runs under way begin
    bool cut_ = false;
};

} // namespace beeline
