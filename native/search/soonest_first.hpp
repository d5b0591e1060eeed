// Zones in the order of the earliest moment at which one of their points is reached, which a clock that nothing resets
// tells (native/zone, `elapsed`): finds the violation that comes after the least time in all. A search by least costs
// (Dijkstra) over the zone graph: no step leads to an earlier moment, and a zone that covers another has no later one.
#pragma once

#include "search/open_list.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <limits>

namespace beeline {

template <Space S, StateStore T>
class SoonestFirst {
public:
    // A depth, and an entry in the open list.
    static constexpr std::size_t kSideBytes = 12;

    explicit SoonestFirst(Run<S, T>& run) : run_(run), open_(run.memory(), Ties::kFifo, 0), depths_(run.memory()) {}

    void search() {
        run_.buffer.clear();
        run_.space.initial(run_.buffer);
        reach_all(kNoIndex);
        // What waits at the moment of what was found can lead to nothing sooner.
        while (run_.going() && !open_.empty() && open_.first() >> 32 < best_) {
            expand(open_.pop());
        }
        finish();
    }

private:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    void expand(Index index) {
        --waiting_;
        if (!run_.store.alive(index)) {
            return;
        }
        run_.reach_depth(depths_[index]);
        run_.buffer.clear();
        const std::uint32_t marks = run_.expand_through(index);
        if ((marks & run_.stop()) != 0) {
            found_state(index, marks & run_.stop());
        }
        if (depths_[index] >= run_.limits().depth) {
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
            const std::uint32_t marks = run_.buffer.arc(i).marks;
            if ((marks & run_.stop()) != 0) {
                found_arc(source, i);
            }
            if ((marks & kError) == 0 && run_.going()) {
                reach(source, i);
            }
        }
    }

    void reach(Index source, std::size_t i) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        const Word* state = run_.buffer.state(i);
        const Insertion done = run_.store.insert(state, run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kKnown) {
            return;
        }
        if (done.result == Insert::kFull) {
            return run_.end_full();
        }
        if (!depths_.ensure(done.index)) {
            return run_.end(Status::kMemory);
        }
        run_.count_fresh(arc.marks);
        depths_[done.index] = source == kNoIndex ? 0 : depths_[source] + 1;
        ++waiting_;
        if (!open_.push(run_.space.soonest(state) << 32 | depths_[done.index], done.index)) {
            run_.end(Status::kMemory);
        }
    }

    // An error ends the search, whenever it comes: it is told of no error that it is the soonest.
    void found_arc(Index source, std::size_t i) {
        const bool fails = (run_.buffer.arc(i).marks & kError) != 0;
        const std::uint64_t moment = fails ? 0 : run_.space.soonest_goal(run_.buffer.state(i));
        if (moment >= best_ && !fails) {
            return;
        }
        keep(source, moment);
        run_.add_violation(run_.buffer, i);
        if (fails) {
            failed_ = true;
            run_.end_found();
        }
    }

    // What is sought is decided when all steps of a state are known.
    void found_state(Index index, std::uint32_t found) {
        const std::uint64_t moment = run_.space.soonest_goal(run_.store.state(index));
        if (moment < best_) {
            keep(index, moment);
            run_.outcome().found = found;
        }
    }

    void keep(Index last, std::uint64_t moment) {
        Outcome& outcome = run_.outcome();
        run_.statistics.goals -= (outcome.found & kGoal) != 0;
        outcome.path = path_to(run_.store, last);
        outcome.error_action = outcome.error_detail = 0;
        best_ = moment;
    }

    void finish() {
        Outcome& outcome = run_.outcome();
        if (best_ != kNever) {
            outcome.proven = run_.going() && !cut_;
            outcome.truncated = !run_.going() && !failed_;
            run_.end_found();
        } else if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
    }

    Run<S, T>& run_;
    OpenList open_; // by the moment, and then by the steps
    Column<std::uint32_t> depths_;
    std::size_t waiting_ = 0;
    std::uint64_t best_ = kNever; // the moment of what was found
    bool cut_ = false;
    bool failed_ = false;
};

} // namespace beeline
