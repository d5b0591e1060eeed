// A* over arcs of different weights: finds a violation to which no way costs less. The heuristic counts steps and no
// weight is below one, so a heuristic that never says too much of the steps says too much of no cost either. It need
// not be consistent: a state that is reached at less cost is expanded again.
#pragma once

#include "search/frontier.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

// What arcs cost, by their actions; 1 where nothing is said.
struct ArcWeights {
    std::vector<std::uint32_t> by_action;

    std::uint64_t of(std::uint32_t action) const { return action < by_action.size() ? by_action[action] : 1; }
};

struct LeastCostOptions {
    BestFirstOptions order; // the heuristic, and which of equally good states is first
    ArcWeights weights;
};

template <Space S, StateStore T>
class LeastCost {
public:
    // A fact and one or two entries in the open list.
    static constexpr std::size_t kSideBytes = 24;

    LeastCost(Run<S, T>& run, const LeastCostOptions& options)
        : run_(run), options_(options), evaluator_(options_.order, run.statistics),
          open_(run.memory(), options_.order.ties, options_.order.seed), facts_(run.memory()) {}

    void search() {
        run_.initial();
        if (run_.going()) {
            reach_all(kNoIndex);
        }
        while (run_.going() && !open_.empty() && (open_.first() >> 32) < best_) {
            const Index index = open_.pop();
            --waiting_;
            if ((facts_[index].flags & (kClosed | kDropped)) == 0) {
                visit(index);
            }
        }
        finish();
    }

private:
    static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max(); // the half of a key

    enum Flag : std::uint32_t { kEntered = 1, kClosed = 2, kExpanded = 4, kDropped = 8 };

    struct Fact {
        std::uint32_t cost; // of the cheapest way that is known
        std::uint32_t depth;
        std::int32_t estimate;
        std::uint32_t flags;
    };

    void visit(Index index) {
        Fact& fact = facts_[index];
        const bool first_time = (fact.flags & kExpanded) == 0;
        fact.flags |= kClosed | kExpanded;
        run_.reach_depth(fact.depth);
        run_.buffer.clear();
        const std::uint32_t marks = run_.expand_through(index, first_time);
        if ((marks & run_.stop()) != 0 && fact.cost < best_) {
            keep(index, fact.cost);
            run_.outcome().found = marks & run_.stop();
        }
        if (fact.depth >= run_.limits().depth) {
            cut_ |= !run_.leads_nowhere_new();
        } else {
            reach_all(index);
        }
        if (run_.going()) {
            run_.pulse(waiting_);
        }
    }

    void reach_all(Index source) {
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            const bool begins = source == kNoIndex;
            const std::uint64_t cost = begins ? 0 : facts_[source].cost + options_.weights.of(arc.action);
            if ((arc.marks & run_.stop()) != 0) {
                if (cost < best_) {
                    keep(source, cost);
                    run_.add_violation(run_.buffer, i);
                }
            } else if ((arc.marks & kError) == 0) {
                reach(source, i, cost, begins ? 0 : facts_[source].depth + 1);
            }
        }
    }

    void reach(Index source, std::size_t i, std::uint64_t cost, std::uint32_t depth) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        const Insertion done = run_.store.insert(run_.buffer.state(i), run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kFull) {
            return run_.end_full();
        }
        if (!facts_.ensure(done.index)) {
            return run_.end(Status::kMemory);
        }
        Fact& fact = facts_[done.index];
        if (done.result == Insert::kFresh) {
            run_.count_fresh(arc.marks);
            const bool alive = evaluator_.evaluate(run_.buffer.state(i));
            fact = {0, 0, evaluator_.value(0), alive ? kEntered : kEntered | kDropped};
        } else if ((fact.flags & kDropped) != 0 || cost >= fact.cost) {
            return;
        } else {
            run_.store.set_origin(done.index, source, arc.action);
            run_.statistics.reopened += (fact.flags & kClosed) != 0;
            fact.flags &= ~static_cast<std::uint32_t>(kClosed);
        }
        put(done.index, fact, cost, depth);
    }

    void put(Index index, Fact& fact, std::uint64_t cost, std::uint32_t depth) {
        const std::uint64_t sum = cost + static_cast<std::uint64_t>(fact.estimate);
        if (sum > kMost) {
            return run_.end(Status::kGaveUp); // such costs cannot be compared
        }
        fact.cost = static_cast<std::uint32_t>(cost);
        fact.depth = depth;
        if ((fact.flags & kDropped) != 0) {
            return;
        }
        ++waiting_;
        if (!open_.push(sum << 32 | static_cast<std::uint32_t>(fact.estimate), index)) {
            run_.end(Status::kMemory);
        }
    }

    // What is found from here on costs less than what was found before.
    void keep(Index source, std::uint64_t cost) {
        Outcome& outcome = run_.outcome();
        run_.statistics.goals -= (outcome.found & kGoal) != 0;
        outcome.path = path_to(run_.store, source);
        outcome.error_action = outcome.error_detail = 0;
        best_ = cost;
    }

    void finish() {
        Outcome& outcome = run_.outcome();
        if (outcome.status == Status::kFound) {
            return; // at the start
        }
        if (best_ != kUnknown) {
            outcome.proven = run_.going() && !cut_;
            outcome.truncated = !run_.going();
            run_.end_found();
        } else if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
    }

    Run<S, T>& run_;
    const LeastCostOptions& options_;
    Evaluator evaluator_;
    OpenList open_;
    Column<Fact> facts_;
    std::size_t waiting_ = 0;
    std::uint64_t best_ = kUnknown; // the cost of what was found
    bool cut_ = false;
};

} // namespace beeline
