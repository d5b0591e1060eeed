// Best-first search: one loop for greedy search, A*, weighted A*, the search that avoids useless transitions and the
// search with several open lists. What differs is the key of a state, when the search is content, and whether a state
// that is reached on a shorter way is expanded again; see BestFirstOptions.
#pragma once

#include "search/frontier.hpp"
#include "search/incumbent.hpp"
#include "search/lookahead.hpp"
#include "search/novelty.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

namespace beeline {

// Where the parts of a state lie whose values heuristics and novelty are about.
template <Space S>
UnitPlaces value_places(const S& space) {
    if constexpr (RepackableSpace<S>) {
        return space.unit_places();
    } else if constexpr (PartlyEstimatedSpace<S>) {
        return word_places(space.estimated_words());
    } else {
        return word_places(space.words());
    }
}

template <Space S, StateStore T>
class BestFirst {
public:
    // Depth, estimate and one or two entries in open lists.
    static constexpr std::size_t kSideBytes = 16;

    BestFirst(Run<S, T>& run, const BestFirstOptions& options) : BestFirst(run, options, nullptr) {}
    // Stages that share a store also share the best violation.
    BestFirst(Run<S, T>& run, const BestFirstOptions& options, Incumbent<S, T>* shared)
        : run_(run), options_(options), frontier_(options_, run.memory()), evaluator_(options_, run.statistics),
          ahead_(run, options_), own_(run), incumbent_(shared == nullptr ? own_ : *shared), facts_(run.memory()),
          bounded_(run.limits().bounds_depth()), bound_(run.limits().depth) {
        options_.reopen |= bounded_; // more lies within the bound behind a state that is reached sooner
        if (options_.novelty > 0) {
            novelty_.emplace(value_places(run.space), options_.novelty, run.memory());
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
        if (run_.going()) {
            evaluator_.forget_removals();
            is_whole_ = reach_all(kNoIndex, 0);
        }
    }

    // Expands one state. False if the run ended or nothing is left to do.
    bool step() {
        if (!run_.going()) {
            return false;
        }
        if (unfinished_ != kNoIndex) {
            finish_expansion();
            return true;
        }
        if (frontier_.empty()) {
            return false;
        }
        ahead_.look(frontier_, is_worth(), is_evaluated());
        Key key = 0;
        const Index index = frontier_.pop(key);
        if (options_.patience == Patience::kPopped && incumbent_.any() && primary(key) >= incumbent_.length()) {
            return false;
        }
        if (is_closed(index) || is_replaced(index)) {
            return true;
        }
        close(index);
        if (cannot_improve(index)) {
            return true;
        }
        visit(index);
        return true;
    }

    void finish() {
        if (incumbent_.any()) {
            if (run_.going() || run_.outcome().status != Status::kFound) {
                incumbent_.report(run_.going() && proves());
            }
        } else if (run_.going()) {
            const auto at_bound = [this](Index index) {
                return index < known_ && !(facts_[index].flags & kDropped) && depth_of(index) == bound_;
            };
            run_.end_without(cut_, at_bound);
        }
    }

    // For checkpoints, between steps or when the run has ended without an answer.

    // Whether nothing was lost for want of memory.
    bool is_whole() const { return is_whole_; }
    void spoil() { is_whole_ = false; }
    // A state of which not all successors were reached is to be expanded again.
    void take_back() {
        if (unfinished_ != kNoIndex) {
            run_.go_back(before_);
        }
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(run_);
    }
    template <class Archive>
    void archive(Archive& with) {
        with(known_, cut_, generated_, last_progress_, unfinished_, is_first_, is_flat_);
        if (known_ > 0 && !facts_.ensure(known_ - 1)) {
            throw std::bad_alloc();
        }
        with.bytes(facts_.data(), known_ * sizeof(Fact));
        frontier_.archive(with);
        evaluator_.archive(with);
        incumbent_.archive(with);
        if (novelty_) {
            novelty_->archive(with);
        }
    }

    // What was done so far, in generated steps.
    std::uint64_t work() const { return generated_ + evaluator_.cost(); }
    // The work at which some estimate was last better than ever before.
    std::uint64_t last_progress() const { return last_progress_; }
    // Whether every state had the same estimate so far as the one before it.
    bool is_flat() const { return is_flat_; }

private:
    enum Flag : std::uint32_t { kClosed = 1, kExpanded = 2, kPreferred = 4, kDropped = 8, kEntered = 16 };

    struct Fact {
        std::uint32_t depth : 27;
        std::uint32_t flags : 5;
        std::int32_t estimate; // lazy: of the parent
    };
    static constexpr std::uint32_t kDeepest = (1u << 27) - 1;

    // Facts

    bool has_fact(Index index) const { return index < known_; }
    bool is_done(Index index) const { return has_fact(index) && (facts_[index].flags & (kExpanded | kDropped)) != 0; }
    std::uint32_t depth_of(Index index) const { return index == kNoIndex ? 0 : facts_[index].depth; }
    bool make_fact(Index index, std::uint32_t depth, std::uint32_t flags) {
        if (!facts_.ensure(index)) {
            return false;
        }
        known_ = std::max<std::size_t>(known_, std::size_t{index} + 1);
        facts_[index].depth = std::min(depth, kDeepest);
        facts_[index].flags = (facts_[index].flags & kExpanded) | flags;
        return true;
    }
    bool is_closed(Index index) const { return (facts_[index].flags & (kClosed | kDropped)) != 0; }
    void close(Index index) { facts_[index].flags |= kClosed; }

    // A zone that a larger one took the place of need not be expanded, unless the way to the larger one is longer.
    bool is_replaced(Index index) {
        if (run_.store.alive(index)) {
            return false;
        }
        if (!options_.reopen) {
            return true;
        }
        const Word* words = run_.store.state(index);
        const Index other = run_.store.find(words, run_.store.hash(words));
        return other != kNoIndex && depth_of(other) <= depth_of(index);
    }

    bool cannot_improve(Index index) const {
        if (!incumbent_.any()) {
            return false;
        }
        const Fact& fact = facts_[index];
        const bool bounds = options_.bound != nullptr && options_.bound == options_.estimators.front();
        return fact.depth + (bounds ? std::int64_t{fact.estimate} : 0) >= std::int64_t{incumbent_.length()};
    }

    // Estimates of what comes next are made together, or by other threads, if there are any.
    auto is_worth() const {
        return [this](Index index) {
            return !is_closed(index) && !cannot_improve(index) && !(bounded_ && depth_of(index) >= bound_);
        };
    }
    auto is_evaluated() const {
        return [this](Index index) { return is_entered(index); };
    }
    auto look_further() {
        return [this] {
            ahead_.look_deeper(is_evaluated());
            ahead_.look_further(frontier_, is_worth(), is_evaluated());
        };
    }
    bool is_entered(Index index) const { return has_fact(index) && (facts_[index].flags & kEntered) != 0; }

    // Expanding

    void visit(Index index) {
        const std::uint32_t depth = depth_of(index);
        const bool first_time = (facts_[index].flags & kExpanded) == 0;
        facts_[index].flags |= kExpanded;
        run_.reach_depth(depth);
        if (bounded_ && depth == bound_) {
            probe(index, depth, first_time);
        } else if (!(options_.lazy || options_.preferred) || evaluate_again(index)) {
            expand(index, depth, first_time);
        }
        if (run_.going()) {
            run_.pulse(frontier_.size());
        }
    }

    // Lazy: what a state is worth is only found out now. Eager: the preferred actions were not kept.
    bool evaluate_again(Index index) {
        const Word* state = run_.store.state(index);
        const bool alive = evaluator_.evaluate(state, ahead_.evaluation_of(state, look_further()));
        evaluator_.keep_preferred();
        note_progress();
        if (!alive) {
            facts_[index].flags |= kDropped;
        }
        return alive;
    }

    // Of a run that was ended in the middle of it.
    void finish_expansion() {
        const Index index = unfinished_;
        unfinished_ = kNoIndex;
        if (options_.lazy || options_.preferred) {
            evaluator_.recall(run_.store.state(index));
            evaluator_.keep_preferred();
        }
        expand(index, depth_of(index), is_first_);
        if (run_.going()) {
            run_.pulse(frontier_.size());
        }
    }

    void expand(Index index, std::uint32_t depth, bool first_time) {
        before_ = run_.mark();
        run_.buffer.clear();
        run_.prepared = ahead_.expansion_of(index);
        const bool is_news = run_.prepared == nullptr;
        const auto is_over = [this](Index known) { return is_done(known) || (has_fact(known) && is_closed(known)); };
        if (options_.patience == Patience::kFirst) {
            run_.expand(index, first_time, is_over);
            if (!run_.going()) {
                return;
            }
        } else {
            incumbent_.offer_state(index, depth, run_.expand_through(index, first_time, is_over));
            incumbent_.offer_arcs(index, 0, depth + 1);
        }
        generated_ += run_.buffer.size();
        evaluator_.forget_removals();
        list_steps();
        if (is_news) {
            ahead_.ask_all(is_evaluated());
        }
        if (!reach_all(index, depth + 1)) {
            unfinished_ = index;
            is_first_ = first_time;
            generated_ -= run_.buffer.size();
        }
    }

    void probe(Index index, std::uint32_t depth, bool first_time) {
        run_.buffer.clear();
        const std::uint32_t marks = run_.expand_through(index, first_time);
        incumbent_.offer_state(index, depth, marks);
        cut_ |= !run_.leads_nowhere_new();
        if (incumbent_.any() && options_.patience == Patience::kFirst) {
            incumbent_.report(false);
        }
    }

    // Arriving

    // False if the run ended before all were reached.
    bool reach_all(Index source, std::uint32_t depth) {
        const SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if (is_state(buffer.arc(i))) {
                run_.store.prefetch(buffer.hash(i));
            }
        }
        for (std::size_t k = 0; k < buffer.size(); ++k) {
            const std::size_t i = options_.backwards ? buffer.size() - 1 - k : k;
            if (is_state(buffer.arc(i)) && (!run_.going() || !reach(source, i, depth))) {
                return false;
            }
        }
        return true;
    }

    // Violations were looked at when they were generated; nothing behind them is sought.
    bool is_state(const SuccessorBuffer::Arc& arc) const { return (arc.marks & (kError | run_.stop())) == 0; }

    // False if there is no room for it.
    bool reach(Index source, std::size_t i, std::uint32_t depth) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        const Insertion done = run_.store.insert(run_.buffer.state(i), run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kFull) {
            run_.end_full();
            return false;
        }
        if (done.result == Insert::kFresh) {
            run_.count_fresh(arc.marks);
            enter(source, done.index, i, depth);
        } else if (!is_entered(done.index)) {
            enter(source, settle(source, done.index, i), i, depth);
        } else if (options_.reopen && depth < depth_of(done.index)) {
            reach_sooner(source, done.index, i, depth);
        } else if (options_.lazy && !is_closed(done.index)) {
            reach_again(done.index, arc);
        }
        return true;
    }

    // A known state is reached on a way of its own: makes that its origin. Where the known one is a larger zone, which
    // does not lie on this way, the new one must stand for itself.
    Index settle(Index source, Index known, std::size_t i) {
        const std::uint32_t action = run_.buffer.arc(i).action;
        if constexpr (CoveringStateStore<T>) {
            const Insertion done = run_.store.insert_beside(run_.buffer.state(i), run_.buffer.hash(i), source, action);
            if (done.result == Insert::kFull) {
                run_.end_full();
                return kNoIndex;
            }
            run_.count_fresh(run_.buffer.arc(i).marks);
            return done.index;
        } else {
            run_.store.set_origin(known, source, action);
            return known;
        }
    }

    // A state that this search has not met before. Heuristics are asked about the words in the buffer, which are near;
    // where the store has merged its zone with others, they are the same as far as heuristics look.
    void enter(Index source, Index index, std::size_t i, std::uint32_t depth) {
        if (index == kNoIndex) {
            return;
        }
        if (!make_fact(index, depth, kEntered)) {
            spoil();
            return run_.end(Status::kMemory);
        }
        if (!options_.lazy) {
            const Word* state = run_.buffer.state(i);
            const Evaluation* evaluation = ahead_.evaluation_of(state, run_.buffer.hash(i), look_further());
            if (!evaluator_.evaluate(state, evaluation)) {
                facts_[index].flags |= kDropped;
                return;
            }
            facts_[index].estimate = evaluator_.value(0);
            if (hopeless(i, depth)) {
                return close(index); // on this way: a shorter one may come
            }
            note_progress();
            run_.pulse(frontier_.size());
        } else if (source == kNoIndex) {
            evaluator_.evaluate(run_.buffer.state(i));
        }
        facts_[index].estimate = evaluator_.value(0);
        is_flat_ &= source == kNoIndex || facts_[source].estimate == facts_[index].estimate;
        push(source, index, i, depth);
        explore_beside(source, index, i, depth);
    }

    // Whether the bound says that no way through the state of this arc is shorter than the best one.
    bool hopeless(std::size_t i, std::uint32_t depth) {
        if (options_.bound == nullptr || !incumbent_.any()) {
            return false;
        }
        const bool same = options_.bound == options_.estimators.front();
        const std::int32_t left = same ? evaluator_.value(0) : evaluator_.at_least(run_.buffer.state(i));
        return std::int64_t{depth} + left >= std::int64_t{incumbent_.length()};
    }

    void reach_sooner(Index source, Index index, std::size_t i, std::uint32_t depth) {
        const Index settled = settle(source, index, i);
        if (settled != index) {
            return enter(source, settled, i, depth);
        }
        Fact& fact = facts_[index];
        fact.depth = depth;
        if ((fact.flags & kDropped) != 0) {
            return;
        }
        const bool was_closed = (fact.flags & kClosed) != 0;
        run_.statistics.reopened += was_closed && (fact.flags & kExpanded) != 0;
        fact.flags &= ~static_cast<std::uint32_t>(kClosed);
        if (was_closed || options_.priority != Priority::kEstimate) {
            push_known(source, index, i, depth);
        }
    }

    // Lazy: a state that waits may deserve a better place than it has.
    void reach_again(Index index, const SuccessorBuffer::Arc& arc) {
        Fact& fact = facts_[index];
        const bool preferred =
            options_.preferred && evaluator_.is_preferred(parts_of(arc).first) && (fact.flags & kPreferred) == 0;
        if (evaluator_.value(0) < fact.estimate || preferred) {
            fact.estimate = std::min(fact.estimate, evaluator_.value(0));
            push_all(index, preferred || (fact.flags & kPreferred) != 0);
        }
    }

    // Waiting

    void push(Index source, Index index, std::size_t i, std::uint32_t depth) {
        if (options_.priority == Priority::kEstimate) {
            const auto is_preferred = [&] { return evaluator_.is_preferred(parts_of(run_.buffer.arc(i)).first); };
            return push_all(index, options_.preferred && source != kNoIndex && is_preferred());
        }
        push_known(source, index, i, depth);
    }

    void push_all(Index index, bool preferred) {
        for (std::size_t e = 0; e < evaluator_.size(); ++e) {
            put(e, false, estimate_key(evaluator_.value(e)), index);
            if (preferred) {
                put(e, true, estimate_key(evaluator_.value(e)), index);
            }
        }
        if (preferred) {
            facts_[index].flags |= kPreferred;
        }
    }

    // By what is kept of the state, for keys that depend on its depth.
    void push_known(Index source, Index index, std::size_t i, std::uint32_t depth) {
        const std::int32_t estimate = facts_[index].estimate;
        switch (options_.priority) {
        case Priority::kEstimate:
            put(0, false, estimate_key(estimate), index);
            break;
        case Priority::kSum:
            put(0, false, sum_key(depth, options_.weight, estimate), index);
            break;
        case Priority::kUseless:
            put(0, false, useless_key(estimate, penalty(source, estimate, i, depth)), index);
            break;
        case Priority::kContext:
            put(0, false, ranked_key(level(source, i), estimate), index);
            break;
        }
    }

    // Fig. 3 of the paper: a useless step pays the length of the way to the state that it leaves.
    std::uint32_t penalty(Index source, std::int32_t estimate, std::size_t i, std::uint32_t depth) {
        if (source == kNoIndex ||
            !evaluator_.is_useless(run_.store.state(source), facts_[source].estimate, estimate, steps_, i)) {
            return 0;
        }
        return options_.late_penalty ? depth : depth - 1;
    }

    // How far a step is from the one before it. The first one is near to anything.
    std::uint32_t level(Index source, std::size_t i) {
        if (source == kNoIndex || run_.store.parent(source) == kNoIndex) {
            return 0;
        }
        const SuccessorBuffer::Arc last{run_.store.action(source), kNone, 0};
        return options_.contexts->level(parts_of(last).first, parts_of(run_.buffer.arc(i)));
    }

    // How heuristics know the steps that leave the state under way. What fails is never asked about.
    void list_steps() {
        steps_.clear();
        for (std::size_t i = 0; options_.priority == Priority::kUseless && i < run_.buffer.size(); ++i) {
            steps_.push_back(parts_of(run_.buffer.arc(i)));
        }
    }
    StepParts parts_of(const SuccessorBuffer::Arc& arc) const {
        if constexpr (JoiningSpace<S>) {
            return run_.space.parts_of(arc.action);
        } else {
            return {arc.action, (arc.marks & kError) != 0 ? 0 : arc.detail};
        }
    }

    // The open lists that no heuristic orders.
    void explore_beside(Index source, Index index, std::size_t i, std::uint32_t depth) {
        const std::int32_t estimate = facts_[index].estimate;
        if (novelty_) {
            const bool is_near = source != kNoIndex && facts_[source].estimate == estimate;
            const Word* before = is_near ? run_.store.state(source) : nullptr;
            const std::uint32_t rank = novelty_->rank(run_.buffer.state(i), before, estimate);
            heed(frontier_.push_novel(ranked_key(rank, estimate), index));
        }
        if (options_.contexts != nullptr && options_.priority == Priority::kEstimate) {
            heed(frontier_.push_near(ranked_key(level(source, i), estimate), index));
        }
        if (options_.types) {
            heed(frontier_.push_typed(type_key(depth, estimate), index));
        }
    }

    void put(std::size_t which, bool preferred, Key key, Index index) {
        heed(frontier_.push(which, preferred, key, index));
    }
    void heed(bool pushed) {
        if (!pushed) {
            spoil();
        }
        if (!pushed && run_.going()) {
            run_.end(Status::kMemory);
        }
    }

    void note_progress() {
        for (std::size_t e = 0; e < evaluator_.size(); ++e) {
            if (evaluator_.progressed(e)) {
                last_progress_ = work();
                frontier_.reward(e);
            }
        }
    }

    // Ending

    // Whether the end of the search proves that the best violation is a shortest one.
    bool proves() const {
        return options_.reopen &&
               (options_.patience == Patience::kNever || (options_.priority == Priority::kSum && options_.weight == 1));
    }

    Run<S, T>& run_;
    BestFirstOptions options_;
    Frontier frontier_;
    std::optional<Novelty> novelty_;
    Evaluator evaluator_;
    Estimator::Steps steps_;
    Lookahead<S, T> ahead_;
    Incumbent<S, T> own_;
    Incumbent<S, T>& incumbent_;
    Column<Fact> facts_;
    std::size_t known_ = 0; // states below this index have a fact
    bool bounded_;
    std::uint32_t bound_;
    bool cut_ = false;
    std::uint64_t generated_ = 0;
    std::uint64_t last_progress_ = 0;
    typename Run<S, T>::Mark before_{}; // the last expansion
    Index unfinished_ = kNoIndex;       // a state of which not all successors were reached when the run ended
    bool is_first_ = false;             // it was expanded for the first time
    bool is_flat_ = true;
    bool is_whole_ = true;
};

} // namespace beeline
