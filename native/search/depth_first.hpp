// Depth-first search (Tarjan, 1972), iterative: an arc is followed when it comes to the top of the stack, so states
// are visited exactly in the order of the recursive algorithm, though all arcs of a state are generated at once.
//
// With a depth bound, a state that is reached again on a shorter way is opened again, because more lies within the
// bound behind it (without this, a bounded depth-first search misses violations within its bound).
#pragma once

#include "search/pending.hpp"
#include "search/random.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class DepthFirst {
public:
    // With a seed, the arcs of each state are followed in a random order, otherwise in the space's own.
    DepthFirst(Run<S, T>& run, std::optional<std::uint64_t> seed)
        : run_(run), pending_(run.space.words(), run.memory()), depths_(run.memory()) {
        if (seed) {
            random_.emplace(*seed);
        }
    }

    void search() {
        search_to(run_.limits().depth, run_.limits().bounds_depth());
        if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
    }

    // Visits everything within `bound` steps. May be called again with another bound once the store was cleared.
    void search_to(std::uint32_t bound, bool bounded = true) {
        bound_ = bound;
        bounded_ = bounded;
        cut_ = false;
        pending_.clear();
        path_.clear();
        on_path_.clear();
        run_.initial();
        if (run_.going()) {
            push_arcs(kNoIndex, 0);
        }
        while (run_.going() && !pending_.empty()) {
            follow_top();
        }
        cut_ = cut_ && run_.going() && still_cut();
    }

    // Whether the last search left something out because of its bound.
    bool cut() const { return cut_; }

private:
    void follow_top() {
        const PendingStack::Entry entry = pending_.top();
        const Word* target = pending_.top_target();
        Insertion done = run_.store.insert(target, run_.store.hash(target), entry.parent, entry.action);
        if (done.result == Insert::kKnown) {
            if (!bounded_ || depths_[done.index] <= entry.depth) {
                return pending_.pop();
            }
            ++run_.statistics.reopened;
            done = run_.reach_sooner(done.index, target, entry.parent, entry.action);
        }
        pending_.pop();
        if (done.result == Insert::kFull) {
            return run_.end_full();
        }
        const bool fresh = done.result == Insert::kFresh;
        if (fresh) {
            run_.count_fresh(entry.marks);
        }
        if (bounded_ && !note_depth(done.index, entry.depth)) {
            return run_.end(Status::kMemory);
        }
        run_.reach_depth(entry.depth);
        visit(done.index, entry.depth, fresh);
    }

    bool note_depth(Index index, std::uint32_t depth) {
        if (!depths_.ensure(index)) {
            return false;
        }
        depths_[index] = depth;
        return true;
    }

    void visit(Index index, std::uint32_t depth, bool fresh) {
        if (!run_.store.alive(index)) {
            return;
        }
        if (bounded_ && depth == bound_) {
            cut_ |= !run_.probe(index, fresh);
        } else {
            run_.buffer.clear();
            step_onto(index, depth);
            run_.expand(index, fresh, [this](Index known) { return bounded_ || on_path_[known]; });
            if (run_.going()) {
                push_arcs(index, depth + 1);
            }
        }
        if (run_.going()) {
            run_.pulse(pending_.size());
        }
    }

    // The path is of interest only to a reduction.
    void step_onto(Index index, std::uint32_t depth) {
        if constexpr (ReducingSpace<S>) {
            if (!run_.space.reduces()) {
                return;
            }
            for (; path_.size() > depth; path_.pop_back()) {
                on_path_[path_.back()] = false;
            }
            path_.push_back(index);
            if (on_path_.size() <= index) {
                on_path_.resize(std::max<std::size_t>(index + 1, 2 * on_path_.size()));
            }
            on_path_[index] = true;
        }
    }

    // Arcs to states that need no visit are dropped here already: the stack stays small.
    void push_arcs(Index source, std::uint32_t depth) {
        choose_arcs(depth);
        if (random_) {
            random_->shuffle(chosen_);
        }
        for (auto i = chosen_.rbegin(); i != chosen_.rend(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(*i);
            if (!pending_.push({source, depth, arc.action, arc.marks}, run_.buffer.state(*i))) {
                return run_.end(Status::kMemory);
            }
        }
    }

    void choose_arcs(std::uint32_t depth) {
        const SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        chosen_.clear();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0 && needs_visit(i, depth)) {
                chosen_.push_back(i);
            }
        }
    }

    bool needs_visit(std::size_t i, std::uint32_t depth) const {
        const Index known = run_.store.find(run_.buffer.state(i), run_.buffer.hash(i));
        return known == kNoIndex || (bounded_ && depths_[known] > depth);
    }

    // What was new behind the bound when it was probed may have been visited on another way since.
    bool still_cut() {
        const Statistics before = run_.statistics;
        bool cut = false;
        for (std::size_t i = 0; !cut && run_.going() && i < run_.store.size(); ++i) {
            const auto index = static_cast<Index>(i);
            cut = run_.store.alive(index) && depths_[index] == bound_ && !run_.probe(index, false);
            run_.pulse();
        }
        run_.statistics.expanded = before.expanded;
        run_.statistics.generated = before.generated;
        return cut;
    }

    Run<S, T>& run_;
    PendingStack pending_;
    Column<std::uint32_t> depths_; // used only with a bound
    std::optional<Random> random_;
    std::vector<Index> path_;
    std::vector<bool> on_path_;
    std::vector<std::size_t> chosen_;
    std::uint32_t bound_ = 0;
    bool bounded_ = false;
    bool cut_ = false;
};

} // namespace beeline
