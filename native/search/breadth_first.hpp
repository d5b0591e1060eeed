// Breadth-first search (Moore, 1959). The queue is the arena itself: states are expanded in the order in which they
// were stored, so a layer is a range of indices and a first violation has a shortest path.
//
// Where states cover others, one that is replaced while its layer is under way is expanded all the same: what replaced
// it lies one step further, and so does all that is found from there.
#pragma once

#include "search/layer_frame.hpp"

#include <algorithm>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class BreadthFirst {
public:
    // Without `may_tighten` the space keeps its layout of words.
    explicit BreadthFirst(Run<S, T>& run, bool may_tighten = true) : run_(run), frame_(run, may_tighten) {
        if constexpr (ReducingSpace<S>) {
            if (run.space.reduces_by_visited()) {
                batch_ = 1; // what a batch found counts as visited only when it is stored
            }
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
        note_arcs(0);
        sources_.push_back({kNoIndex, run_.buffer.size(), run_.mark()});
        flush();
        is_whole_ = run_.going();
        begin_layer();
    }

    // Expands a batch of states. False if the run ended or nothing is left to do.
    bool step() {
        if (!run_.going() || next_ == layer_end_) {
            return false;
        }
        if (frame_.is_at_bound()) {
            probe_layer();
        } else {
            expand_batch();
        }
        if (run_.seeks_nearer_deadlocks()) {
            look_for_deadlocks();
        }
        if (run_.going() && next_ == layer_end_) {
            frame_.end_layer();
            begin_layer();
        }
        return run_.going();
    }

    void finish() { frame_.finish(); }

    // For checkpoints, between steps or when the run has ended without an answer.

    // Whether nothing was lost for want of memory.
    bool is_whole() const { return is_whole_; }
    void spoil() { is_whole_ = false; }
    // A state of which not all successors found room is to be expanded again.
    void take_back() {
        if (unfinished_ != kNoIndex) {
            next_ = unfinished_;
            run_.go_back(before_);
        }
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(run_);
    }
    template <class Archive>
    void archive(Archive& with) {
        with(next_, layer_end_);
        frame_.archive(with);
    }

private:
    // As many arcs as keep their slots of the table in the first-level cache between prefetch and use.
    static constexpr std::size_t kBatch = SlowSpace<S> ? 1 : 256;

    // Where a slot is all that is looked up, no more are asked for than can be under way at once.
    static constexpr std::size_t kAhead = 24;

    static constexpr bool kReplaces = CoveringStateStore<T>;
    static constexpr bool kGuesses = GuessingStore<T>;
    static constexpr bool kBySource = BySourceStore<T>;

    struct Source {
        Index state;
        std::size_t arcs_end;
        typename Run<S, T>::Mark mark; // when it had been expanded
    };

    void begin_layer() {
        layer_end_ = run_.store.size();
        if (next_ < layer_end_) {
            frame_.begin_layer();
        }
        note_replaced();
    }

    // Writes down what of the next layer was replaced by others of the same layer.
    void note_replaced() {
        replaced_.clear();
        if constexpr (kReplaces) {
            for (std::size_t i = next_; i < layer_end_; ++i) {
                if (!run_.store.alive(static_cast<Index>(i))) {
                    replaced_.push_back(static_cast<Index>(i));
                }
            }
            std::reverse(replaced_.begin(), replaced_.end());
        }
    }

    // To be asked once for each state of a layer, in their order.
    bool is_replaced(Index index) {
        if (replaced_.empty() || replaced_.back() != index) {
            return false;
        }
        replaced_.pop_back();
        return true;
    }

    void expand_batch() {
        before_ = run_.mark();
        fill();
        flush();
        const bool was_going = run_.going();
        frame_.adapt();
        is_whole_ = is_whole_ && run_.going() == was_going;
    }

    // Takes a step that expands a state; where the layout of states has no room for what comes out, the arcs found
    // before are stored, the layout is changed, and the step taken again.
    template <class Step>
    void with_room(Step&& step) {
        if constexpr (TightLayout<S, T>::kAdapts) {
            for (;;) {
                try {
                    return step();
                } catch (const TooNarrow& reason) {
                    run_.buffer.cut(sources_.empty() ? 0 : sources_.back().arcs_end);
                    flush();
                    run_.buffer.clear();
                    sources_.clear();
                    before_ = run_.mark();
                    if (run_.going()) {
                        run_.widen(reason);
                        is_whole_ = is_whole_ && run_.going();
                    }
                    if (!run_.going()) {
                        --next_; // it is not expanded
                        return;
                    }
                }
            }
        } else {
            step();
        }
    }

    void fill() {
        run_.buffer.clear();
        sources_.clear();
        for (; run_.going() && next_ < layer_end_ && run_.buffer.size() < batch_; ++next_) {
            const auto index = static_cast<Index>(next_);
            if (is_replaced(index)) {
                continue;
            }
            with_room([&] { run_.expand(index, true, [index](Index known) { return known <= index; }); });
            note_arcs(sources_.empty() ? 0 : sources_.back().arcs_end);
            sources_.push_back({index, run_.buffer.size(), run_.mark()});
            if (run_.going()) {
                run_.pulse(run_.store.size() - next_);
            }
        }
    }

    // Has a store that compares targets with their origin look at the arcs from `first` on.
    void note_arcs(std::size_t first) {
        if constexpr (kBySource) {
            run_.hash_arcs_plainly(first);
            run_.store.note_arcs(run_.buffer, first);
        }
    }

    // Three passes, so that the cache misses of a whole batch overlap instead of following one another.
    void flush() {
        SuccessorBuffer& buffer = run_.buffer;
        const std::size_t count = buffer.size();
        if constexpr (kBySource) {
            run_.store.hash_noted(buffer);
        } else {
            run_.hash_arcs();
        }
        const std::size_t ahead = kBySource ? std::min(count, kAhead) : count;
        for (std::size_t i = 0; i < ahead; ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        if constexpr (kGuesses) {
            likely_.resize(count);
            for (std::size_t i = 0; i < count; ++i) {
                likely_[i] = run_.store.likely(buffer.hash(i));
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                run_.store.prefetch_record(buffer.hash(i));
            }
        }
        std::size_t arc = 0;
        for (std::size_t s = 0; s < sources_.size(); ++s) {
            for (; arc < sources_[s].arcs_end; ++arc) {
                if (arc + ahead < count) {
                    run_.store.prefetch(buffer.hash(arc + ahead));
                }
                if (!insert(sources_[s].state, arc)) {
                    return end_full(s);
                }
            }
        }
    }

    bool insert(Index source, std::size_t i) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if ((arc.marks & kError) != 0) {
            return true;
        }
        if constexpr (kGuesses) {
            if (run_.store.is(likely_[i], run_.buffer.state(i))) {
                return true;
            }
        }
        if constexpr (kBySource) {
            if (run_.store.is_seen(i)) {
                run_.store.pass_over(source);
                return true;
            }
        }
        const Insertion done = run_.store.insert(run_.buffer.state(i), run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kFresh) {
            run_.count_fresh(arc.marks);
        } else if (done.result == Insert::kFull) {
            return false;
        }
        return true;
    }

    // What the batch looked at after the state that found no room does not count: it depends on where the batch began.
    void end_full(std::size_t source) {
        unfinished_ = sources_[source].state;
        before_ = source == 0 ? before_ : sources_[source - 1].mark;
        if (run_.going()) { // a violation found in this batch is worth more than a limit
            sources_[source].mark.counts.put_into(run_.statistics);
            run_.end_full();
        }
    }

    // The rest of the layer: a deadlock there is nearer than the violating step that was found.
    void look_for_deadlocks() {
        const std::size_t count = layer_end_ - next_;
        const std::size_t found = run_.nearer_deadlock(count, [this](std::size_t i) {
            const auto index = static_cast<Index>(next_ + i);
            return is_replaced(index) ? nullptr : run_.store.state(index);
        });
        if (found < count) {
            run_.report_deadlock(static_cast<Index>(next_ + found));
        }
    }

    void probe_layer() {
        sources_.clear();
        for (; run_.going() && next_ < layer_end_; ++next_) {
            const auto index = static_cast<Index>(next_);
            if (!is_replaced(index)) {
                with_room([&] { frame_.note_cut(!run_.probe(index)); });
                if (run_.going()) {
                    run_.pulse(run_.store.size() - next_);
                }
            }
        }
    }

    Run<S, T>& run_;
    LayerFrame<S, T> frame_;
    std::vector<Source> sources_;
    std::vector<Index> replaced_; // the first one last
    std::vector<Index> likely_;   // by arc: the known state that its target is like
    std::size_t batch_ = kBatch;
    std::size_t next_ = 0;
    std::size_t layer_end_ = 0;
    typename Run<S, T>::Mark before_{}; // the first state of the batch
    Index unfinished_ = kNoIndex;       // the state at which the run ended
    bool is_whole_ = true;
};

} // namespace beeline
