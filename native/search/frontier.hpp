// What steers a best-first search: its heuristics, and the open lists that are ordered by them.
//
// Several heuristics take turns, each with an open list of its own (Helmert, "The Fast Downward planning system", JAIR
// 26, 2006); beside each there can be one for preferred states only, which is asked more often while that brings
// progress (Richter and Westphal, "The LAMA planner", JAIR 39, 2010). Two more can take turns with them: one that is
// ordered by how new states are (see Novelty), and one by types (see TypeList).
#pragma once

#include "heuristic/estimator.hpp"
#include "search/open_list.hpp"
#include "search/statistics.hpp"
#include "search/type_list.hpp"
#include "task/contexts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace beeline {

enum class Priority : std::uint8_t {
    kEstimate, // h
    kSum,      // g + weight * h; among equals the smaller h
    kUseless,  // h, and g on top for steps that seem useless
    kContext,  // how far the step is from the one before it, or from the goal; among equals h
};

enum class Patience : std::uint8_t {
    kFirst,  // ends with the first violation
    kPopped, // ends when no open state has a smaller key than the best violation's length (A*)
    kNever,  // goes on until nothing open can lead to a shorter violation
};

struct BestFirstOptions {
    std::vector<std::shared_ptr<Estimator>> estimators; // at least one; only kEstimate makes use of more
    std::shared_ptr<Estimator> bound; // never says too much: what it says cannot beat the best violation is dropped
    Priority priority = Priority::kEstimate;
    Patience patience = Patience::kFirst;
    std::uint32_t weight = 1;
    bool prune = false;         // dead ends of safe heuristics are dropped; otherwise they only come late
    bool reopen = false;        // a state that is reached again on a shorter way is expanded again
    bool lazy = false;          // states are evaluated when they are expanded, and wait under their parent's estimate
    bool preferred = false;     // with open lists for preferred states
    bool late_penalty = false;  // kUseless: counts the useless step itself, too
    std::uint32_t boost = 1000; // turns that progress earns for the preferred
    std::uint32_t learn = 0;    // turns that progress earns for the open list that led to it
    std::uint32_t novelty = 0;  // kEstimate: the width of an open list by novelty; 0: there is none
    bool types = false;         // kEstimate: with a type-based open list
    std::shared_ptr<Contexts> contexts; // kContext; kEstimate: with an open list by contexts
    bool backwards = false;             // the arcs of a state are entered from the last to the first
    Ties ties = Ties::kFifo;
    std::uint64_t seed = 0;
};

class Frontier {
public:
    Frontier(const BestFirstOptions& options, MemoryAccount& account);

    bool empty() const;
    // Entries of all open lists; a state can wait in several.
    std::size_t size() const { return size_; }
    // The next state and the key that it waited under; there must be one.
    Index pop(Key& key);
    // Calls visit(index) for about the next `count` states to come if none is added, as long as it returns true.
    template <class Visit>
    void look(std::int64_t count, Visit&& visit) const {
        std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
        for (const auto& queue : queues_) {
            fewest = queue->open.empty() ? fewest : std::min(fewest, queue->turns);
        }
        for (const auto& queue : queues_) {
            if (!queue->open.empty() && queue->turns < fewest + count) {
                std::int64_t left = (fewest + count - queue->turns) / static_cast<std::int64_t>(queues_.size()) + 1;
                queue->open.look([&](Index index) { return visit(index) && --left > 0; });
            }
        }
    }
    // Puts a state into the open list of heuristic `which`, or into the one for preferred states beside it. False if
    // the memory budget refuses.
    bool push(std::size_t which, bool preferred, Key key, Index index);
    // The same for the open lists by novelty, by contexts and by types.
    bool push_novel(Key key, Index index) { return count(novel_->open.push(key, index)); }
    bool push_near(Key key, Index index) { return count(near_->open.push(key, index)); }
    bool push_typed(Key type, Index index) { return count(types_->open.push(type, index)); }
    template <class Archive>
    void archive(Archive& with) {
        for (const auto& queue : queues_) {
            with(queue->turns);
            queue->open.archive(with);
        }
        if (types_ != nullptr) {
            with(types_->turns);
            types_->open.archive(with);
        }
        with(size_, last_);
    }
    // Heuristic `which` got better: the preferred states beside it are asked more often, and so is the open list that
    // the last state came from.
    void reward(std::size_t which);

private:
    struct Queue {
        Queue(std::shared_ptr<ChunkPool> pool, Ties ties, std::uint64_t seed) : open(std::move(pool), ties, seed) {}
        OpenList open;
        std::int64_t turns = 0; // the queue that had fewest is next
    };
    struct Types {
        Types(MemoryAccount& account, std::uint64_t seed) : open(account, seed) {}
        TypeList open;
        std::int64_t turns = 0;
    };

    static constexpr std::size_t kNoQueue = std::numeric_limits<std::size_t>::max();

    std::int64_t& turns(std::size_t queue) { return queue < queues_.size() ? queues_[queue]->turns : types_->turns; }
    bool count(bool pushed) {
        size_ += pushed;
        return pushed;
    }
    std::size_t next_queue() const;

    const BestFirstOptions& options_;
    std::size_t per_estimator_;
    std::vector<std::unique_ptr<Queue>> queues_;
    Queue* novel_ = nullptr; // the last of them, if there are such
    Queue* near_ = nullptr;
    std::unique_ptr<Types> types_;
    std::size_t size_ = 0;
    std::size_t last_ = kNoQueue; // where the last state came from; types are after all queues
};

// The values of all estimators for one state.
struct Evaluation {
    std::vector<std::int32_t> values;     // of the heuristics that were asked,
    std::size_t asked = 0;                // which are all, unless one was sure that the state is a dead end
    std::vector<std::uint32_t> preferred; // actions, sorted
    bool alive = true;                    // no heuristic is sure that the state is a dead end
};

// The estimators of a search, as one thread uses them.
class EstimatorSet {
public:
    explicit EstimatorSet(const BestFirstOptions& options)
        : estimators_(options.estimators), prune_(options.prune), preferred_(options.preferred) {}

    void evaluate(const Word* state, Evaluation& evaluation) const;
    // The same for several states, each with a place for its evaluation. Worth it if all heuristics have batches.
    void evaluate_all(const std::vector<const Word*>& states, const std::vector<Evaluation*>& evaluations) const;
    bool has_batches() const;
    const std::vector<std::shared_ptr<Estimator>>& estimators() const { return estimators_; }
    // Of one evaluation, in generated steps.
    std::uint64_t cost() const;
    // For another thread; only if every estimator can be cloned.
    bool can_clone() const;
    EstimatorSet clone() const;

private:
    static void begin(Evaluation& evaluation, std::size_t estimators);
    void hear(std::int32_t value, Evaluation& evaluation) const;

    std::vector<std::shared_ptr<Estimator>> estimators_;
    bool prune_, preferred_;
};

// Evaluates states for a search: keeps the best values, the preferred actions, and the usefulness of steps.
class Evaluator {
public:
    Evaluator(const BestFirstOptions& options, Statistics& statistics);

    // Asks all heuristics, unless it is `known` what they say. False if one of them is sure that the state is a dead
    // end.
    bool evaluate(const Word* state, const Evaluation* known = nullptr);
    std::int32_t value(std::size_t which) const { return values_[which]; }
    std::size_t size() const { return values_.size(); }
    // Whether the last evaluation was better than all before by heuristic `which`. The first one is no progress.
    bool progressed(std::size_t which) const { return progressed_[which]; }

    // Steps that are missing from `state` at least, by the heuristic that bounds; kDeadEnd if there is no way.
    std::int32_t at_least(const Word* state);

    // Keeps the actions that the last evaluation preferred, until the next call.
    void keep_preferred() { std::swap(kept_, preferred_); }
    bool is_preferred(std::uint32_t action) const;

    // kUseless: whether the estimate of `state`, whose value is `value`, would be no worse than the successor's if the
    // step did not exist (Wehrle, Kupferschmid and Podelski, "Transition-based directed model checking", TACAS 2009).
    // An estimate that cannot be computed without a step is taken to be the same without it.
    // The step is one of those that leave the state.
    bool is_useless(const Word* state, std::int32_t value, std::int32_t after, const Estimator::Steps& steps,
                    std::size_t which);
    // To be called before another state's steps are evaluated.
    void forget_removals() { removals_.clear(); }

    // Costs of what was asked, in generated steps.
    std::uint64_t cost() const { return cost_; }

    // What was counted before is asked again.
    void recall(const Word* state);
    template <class Archive>
    void archive(Archive& with) {
        with(best_, removed_, used_, cost_);
    }

private:
    struct Removal {
        StepParts step;
        std::int32_t value;
        bool is_used = false;
    };
    Removal& without(const Word* state, const Estimator::Steps& steps, std::size_t which);
    void remove(const Word* state, const Estimator::Steps& steps, std::size_t first);

    const BestFirstOptions& options_;
    Statistics& statistics_;
    EstimatorSet estimators_;
    Evaluation own_;
    std::vector<std::int32_t> values_;
    std::vector<std::int32_t> best_;
    std::vector<bool> progressed_;
    std::vector<std::uint32_t> preferred_, kept_; // sorted
    std::vector<Removal> removals_;
    std::uint64_t removed_ = 0, used_ = 0; // how many were made, and asked for
    Estimator::Steps steps_;               // scratch
    std::uint64_t cost_ = 0;
};

// Saturating sums of depths and estimates.
Key ranked_key(std::uint32_t rank, std::int32_t estimate);
Key type_key(std::uint32_t depth, std::int32_t estimate);
Key estimate_key(std::int32_t estimate);
Key sum_key(std::uint32_t depth, std::uint32_t weight, std::int32_t estimate);
Key useless_key(std::int32_t estimate, std::uint32_t penalty);
// What a key compares first.
std::uint32_t primary(Key key);

} // namespace beeline
