// Depth-first search that goes on after a violation and looks for shorter ones only: SPIN's two ways of shortening a
// trail (pan -i), as described by Edelkamp, Leue and Lluch-Lafuente, STTT 6, 2004.
//
// Without re-opening, a state that was first met near the bound hides what lies behind it, even when it is met again
// much sooner: what is found need not be shortest. With re-opening it is, at the price of visiting states again.
#pragma once

#include "search/incumbent.hpp"
#include "search/pending.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>

namespace beeline {

struct ShorteningOptions {
    bool reopen = false; // a state that is reached sooner is visited again
};

template <Space S, StateStore T>
class Shortening {
public:
    static constexpr std::size_t kSideBytes = 4;

    Shortening(Run<S, T>& run, const ShorteningOptions& options)
        : run_(run), pending_(run.space.words(), run.memory()), depths_(run.memory()), incumbent_(run),
          bounded_(run.limits().bounds_depth()), reopen_(options.reopen || bounded_) {}

    void search() {
        run_.initial();
        if (run_.going()) {
            push_arcs(kNoIndex, 0);
        }
        while (run_.going() && !pending_.empty()) {
            follow_top();
        }
        if (incumbent_.any()) {
            incumbent_.report(run_.going() && reopen_);
        } else if (run_.going()) {
            const auto at_bound = [this](Index index) { return depths_[index] == run_.limits().depth; };
            run_.end_without(cut_, at_bound);
        }
    }

private:
    void follow_top() {
        const PendingStack::Entry entry = pending_.top();
        const Index index = arrive(entry);
        pending_.pop();
        if (index == kNoIndex || !run_.going()) {
            return;
        }
        run_.reach_depth(entry.depth);
        run_.buffer.clear();
        incumbent_.offer_state(index, entry.depth, run_.expand_through(index, fresh_));
        if (bounded_ && entry.depth == run_.limits().depth) {
            cut_ |= !run_.leads_nowhere_new();
        } else {
            incumbent_.offer_arcs(index, 0, entry.depth + 1);
            push_arcs(index, entry.depth + 1);
        }
        if (run_.going()) {
            run_.pulse(pending_.size());
        }
    }

    // The state on top of the stack, if it must be visited.
    Index arrive(const PendingStack::Entry& entry) {
        if (entry.depth >= incumbent_.length()) {
            return kNoIndex;
        }
        const Word* target = pending_.top_target();
        Insertion done = run_.store.insert(target, run_.store.hash(target), entry.parent, entry.action);
        if (done.result == Insert::kKnown) {
            if (!reopen_ || depths_[done.index] <= entry.depth) {
                return kNoIndex;
            }
            ++run_.statistics.reopened;
            done = run_.reach_sooner(done.index, target, entry.parent, entry.action);
        }
        if (done.result == Insert::kFull) {
            run_.end_full();
            return kNoIndex;
        }
        fresh_ = done.result == Insert::kFresh;
        if (fresh_) {
            run_.count_fresh(entry.marks);
        }
        if (!depths_.ensure(done.index)) {
            run_.end(Status::kMemory);
            return kNoIndex;
        }
        depths_[done.index] = entry.depth;
        return run_.store.alive(done.index) ? done.index : kNoIndex;
    }

    void push_arcs(Index source, std::uint32_t depth) {
        for (std::size_t i = run_.buffer.size(); i > 0; --i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i - 1);
            if ((arc.marks & (kError | run_.stop())) == 0 &&
                !pending_.push({source, depth, arc.action, arc.marks}, run_.buffer.state(i - 1))) {
                return run_.end(Status::kMemory);
            }
        }
    }

    Run<S, T>& run_;
    PendingStack pending_;
    Column<std::uint32_t> depths_;
    Incumbent<S, T> incumbent_;
    bool bounded_;
    bool reopen_;
    bool cut_ = false;
    bool fresh_ = false;
};

} // namespace beeline
