// Iterative deepening A* (Korf, "Depth-first iterative-deepening", Artificial Intelligence 27, 1985): depth-first
// searches within a bound on depth plus estimate, which grows to the least sum that was cut off.
//
// What was visited is kept either exactly, in the store, with the depth at which it was visited (so that a state
// reached sooner is visited again), or in a table of bits (Edelkamp, Leue and Lluch-Lafuente, "Directed explicit-state
// model checking in the validation of communication protocols", STTT 5, 2004), which can lose states.
//
// A table of bits knows no depths: a state that is first met deep is not visited again when it is met sooner, so that
// on cycles something is cut off at every bound. So only states that no round has visited are a reason for another
// one, and after a round without such states the bound grows faster and faster.
#pragma once

#include "heuristic/estimator.hpp"
#include "search/run.hpp"
#include "state/bit_table.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace beeline {

struct IdaStarOptions {
    std::shared_ptr<Estimator> estimator;
    bool prune = false;         // dead ends of a safe heuristic are dropped; otherwise they count as 0
    std::uint32_t step = 1;     // the bound grows by at least this
    unsigned log_bits = 0;      // 0: exact
    bool bits_by_depth = false; // a state at another depth is another state
};

// States on the way that is being followed, each with its siblings that still wait.
class TrailStack {
public:
    struct Entry {
        std::uint32_t depth;
        std::uint32_t action;
        std::uint32_t marks;
        std::uint32_t entered; // whether its successors were pushed: then it lies on the way
    };

    TrailStack(std::size_t words, MemoryAccount& account)
        : words_(words), stride_(sizeof(Entry) + words * sizeof(Word)), region_(account) {}

    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    bool push(const Entry& entry, const Word* state) {
        if (!region_.ensure((size_ + 1) * stride_)) {
            return false;
        }
        std::byte* place = region_.data() + size_++ * stride_;
        std::memcpy(place, &entry, sizeof entry);
        std::memcpy(place + sizeof entry, state, words_ * sizeof(Word));
        return true;
    }
    Entry& top() { return entry(size_ - 1); }
    const Word* top_state() const { return state(size_ - 1); }
    void pop() { --size_; }

    Path way() {
        Path path;
        path.words = words_;
        for (std::size_t i = 0; i < size_; ++i) {
            if (entry(i).entered != 0) {
                path.append(entry(i).action, state(i));
            }
        }
        return path;
    }

private:
    Entry& entry(std::size_t i) { return *reinterpret_cast<Entry*>(region_.data() + i * stride_); }
    const Word* state(std::size_t i) const {
        return reinterpret_cast<const Word*>(region_.data() + i * stride_ + sizeof(Entry));
    }

    std::size_t words_;
    std::size_t stride_;
    std::size_t size_ = 0;
    Region region_;
};

template <Space S, StateStore T>
class IdaStar {
public:
    static constexpr std::size_t kSideBytes = 12;

    IdaStar(Run<S, T>& run, const IdaStarOptions& options)
        : run_(run), options_(options), stack_(run.space.words(), run.memory()), facts_(run.memory()),
          bits_(run.memory()), ever_(run.memory()) {}

    void search() {
        if (lossy() && !(bits_.make(options_.log_bits) && ever_.make(options_.log_bits))) {
            return run_.end(Status::kMemory);
        }
        while (run_.going()) {
            next_ = kNoBound;
            cut_ = false;
            begin_round();
            while (run_.going() && !stack_.empty()) {
                follow_top();
            }
            if (run_.going()) {
                end_round();
            }
        }
    }

private:
    static constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();
    // Covering stores know a state by a larger one: nothing about it may outlive the round.
    static constexpr bool kForgets = CoveringStateStore<T>;

    struct Fact {
        std::uint32_t depth;
        std::uint32_t round; // in which the state was visited at that depth
        std::int32_t estimate;
    };

    bool lossy() const { return options_.log_bits > 0; }

    // The first bound is the least estimate of an initial state.
    void begin_round() {
        ++round_;
        stack_.clear();
        if (lossy()) {
            bits_.clear();
            run_.statistics.stored = 0;
            any_news_ = false;
        } else if (kForgets) {
            forget();
        }
        run_.initial();
        if (round_ == 1) {
            bound_ = kNoBound;
            for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
                if ((run_.buffer.arc(i).marks & kError) == 0) {
                    bound_ = std::min<std::int64_t>(bound_, weigh(run_.buffer.state(i)));
                }
            }
        }
        push_arcs(0);
    }

    void forget() {
        run_.store.clear();
        Statistics& statistics = run_.statistics;
        statistics.stored = statistics.deadlocks = statistics.errors = statistics.goals = statistics.transient = 0;
    }

    void end_round() {
        if (next_ != kNoBound) {
            step_ = lossy() && !any_news_ ? 2 * step_ : options_.step;
            bound_ = std::max<std::int64_t>(next_, bound_ + step_);
        } else if (lossy()) {
            run_.end(Status::kGaveUp);
        } else {
            const auto at_bound = [this](Index index) {
                return facts_[index].round == round_ && facts_[index].depth == run_.limits().depth;
            };
            run_.end_without(cut_, at_bound);
        }
    }

    void follow_top() {
        TrailStack::Entry& entry = stack_.top();
        if (entry.entered != 0 || !visit(entry)) {
            stack_.pop();
            return;
        }
        entry.entered = 1;
        const std::uint32_t depth = entry.depth;
        run_.reach_depth(depth);
        expand(depth);
        if (run_.going()) {
            run_.pulse();
        }
    }

    void expand(std::uint32_t depth) {
        run_.buffer.clear();
        const std::uint32_t marks = run_.successors(stack_.top_state());
        ++run_.statistics.expanded;
        run_.statistics.generated += run_.buffer.size();
        run_.statistics.deadlocks += first_time_ && (marks & kDeadlock) != 0;
        if ((marks & run_.stop()) != 0) {
            return report(marks & run_.stop(), kNoArc);
        }
        for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
            const std::uint32_t found = run_.buffer.arc(i).marks;
            run_.statistics.errors += first_time_ && (found & kError) != 0;
            if ((found & run_.stop()) == 0) {
                continue;
            }
            if (depth + 1 <= bound_ && depth < run_.limits().depth) {
                return report(found & run_.stop(), i);
            }
            next_ = depth < run_.limits().depth ? std::min<std::int64_t>(next_, depth + 1) : next_;
        }
        if (depth < run_.limits().depth) {
            push_arcs(depth + 1);
        } else {
            cut_ |= lossy() ? run_.buffer.size() > 0 : !run_.leads_nowhere_new();
        }
    }

    void push_arcs(std::uint32_t depth) {
        for (std::size_t i = run_.buffer.size(); run_.going() && i > 0; --i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i - 1);
            if ((arc.marks & (kError | run_.stop())) == 0 &&
                !stack_.push({depth, arc.action, arc.marks, 0}, run_.buffer.state(i - 1))) {
                run_.end(Status::kMemory);
            }
        }
    }

    // Whether the state must be expanded: within the bound, and not visited before in this round at this depth or
    // sooner.
    bool visit(const TrailStack::Entry& entry) {
        const Word* state = stack_.top_state();
        if (lossy()) {
            return visit_lossy(entry, state);
        }
        const std::uint64_t hash = run_.store.hash(state);
        Insertion done = run_.store.insert(state, hash, kNoIndex, entry.action);
        if (done.result == Insert::kKnown && facts_[done.index].round == round_) {
            if (facts_[done.index].depth <= entry.depth) {
                return false;
            }
            if constexpr (kForgets) {
                done = run_.store.insert_beside(state, hash, kNoIndex, entry.action);
            } else {
                ++run_.statistics.reopened;
            }
        }
        if (done.result == Insert::kFull) {
            run_.end_full();
            return false;
        }
        if (!note(done, state, entry)) {
            run_.end(Status::kMemory);
            return false;
        }
        return within(entry.depth, facts_[done.index].estimate);
    }

    bool note(const Insertion& done, const Word* state, const TrailStack::Entry& entry) {
        if (!facts_.ensure(done.index)) {
            return false;
        }
        Fact& fact = facts_[done.index];
        if (done.result == Insert::kFresh) {
            run_.count_fresh(entry.marks);
            fact.estimate = estimate(state);
        }
        // An estimate beyond the bound is no visit, but the next way to the state would be cut off as well.
        first_time_ = done.result == Insert::kFresh;
        fact.depth = entry.depth;
        fact.round = round_;
        return true;
    }

    bool visit_lossy(const TrailStack::Entry& entry, const Word* state) {
        first_time_ = false;
        std::uint64_t hash = hash_words(state, run_.space.words());
        const std::int64_t known_bound = next_;
        if (!within(entry.depth, estimate(state))) {
            next_ = ever_.contains(hash) ? known_bound : next_;
            return false;
        }
        any_news_ |= ever_.add(hash);
        if (options_.bits_by_depth) {
            hash = fold_multiply(hash ^ entry.depth, 0x9e3779b97f4a7c15);
        }
        const bool fresh = bits_.add(hash);
        run_.statistics.stored += fresh;
        return fresh;
    }

    bool within(std::uint32_t depth, std::int32_t estimate) {
        if (estimate == kDeadEnd) {
            return false;
        }
        const std::int64_t sum = std::int64_t{depth} + estimate;
        if (sum > bound_) {
            next_ = std::min(next_, sum);
            return false;
        }
        return true;
    }

    std::int32_t weigh(const Word* state) {
        const std::int32_t value = estimate(state);
        return value == kDeadEnd ? 0 : value;
    }
    std::int32_t estimate(const Word* state) {
        const std::int32_t value = options_.estimator->estimate(state);
        ++run_.statistics.evaluated;
        if (value == kDeadEnd) {
            ++run_.statistics.dead_ends;
        } else {
            run_.statistics.note_estimate(value);
        }
        run_.pulse();
        return value == kDeadEnd && !(options_.prune && options_.estimator->is_safe()) ? 0 : value;
    }

    static constexpr std::size_t kNoArc = std::numeric_limits<std::size_t>::max();

    void report(std::uint32_t found, std::size_t i) {
        Outcome& outcome = run_.outcome();
        outcome.found = found;
        outcome.path = stack_.way();
        if (i != kNoArc) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            if ((found & kError) != 0) {
                outcome.error_action = arc.action;
                outcome.error_detail = arc.detail;
            } else {
                outcome.path.append(arc.action, run_.buffer.state(i));
            }
        }
        run_.statistics.goals += (found & kGoal) != 0;
        run_.reach_depth(outcome.path.size() + ((found & kError) != 0) - 1);
        outcome.proven = options_.step == 1 && !lossy();
        run_.end(Status::kFound);
    }

    Run<S, T>& run_;
    IdaStarOptions options_;
    TrailStack stack_;
    Column<Fact> facts_;
    BitTable bits_; // of this round,
    BitTable ever_; // and of all
    bool any_news_ = false;
    std::int64_t step_ = 1;
    std::uint32_t round_ = 0;
    std::int64_t bound_ = 0;
    std::int64_t next_ = kNoBound; // the least sum that was cut off in this round
    bool cut_ = false;             // by the depth limit
    bool first_time_ = false;
};

} // namespace beeline
