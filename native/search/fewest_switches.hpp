// Context-bounded search: finds a violation to which no way has fewer process switches, steps of one process right
// after a step of another. Few switches are what people follow easily, and most faults of concurrent programs need few
// (Qadeer and Rehof, "Context-bounded model checking of concurrent software", TACAS 2005; Musuvathi and Qadeer,
// "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007).
//
// What a step costs depends on who took the one before it, so a visit is a state together with the process that was
// last. Only visits with the fewest switches to their state count: where a process comes with one more and goes on, it
// could as well have taken over from one that came with the fewest.
#pragma once

#include "search/breadth_first.hpp"
#include "search/open_list.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
    requires ProcessSpace<S>
class FewestSwitches {
public:
    // A fact, and a visit or two with an entry in the open list each.
    static constexpr std::size_t kSideBytes = 48;

    explicit FewestSwitches(Run<S, T>& run)
        : run_(run), open_(run.memory(), Ties::kFifo, 0), facts_(run.memory()), visits_(run.memory()) {}

    void search() {
        if (run_.limits().bounds_depth()) {
            return BreadthFirst<S, T>(run_).search();
        }
        run_.initial();
        if (run_.going()) {
            reach_all(kNobody, kNoIndex, 0, Arcs::kAll);
        }
        while (run_.going() && !open_.empty() && open_.first() < best_) {
            const Key switches = open_.first();
            const Index visit = open_.pop();
            --waiting_;
            if (facts_[visits_[visit].state].switches == switches) {
                go_on(visit, static_cast<std::uint32_t>(switches));
            }
        }
        finish();
    }

private:
    static constexpr Key kUnknown = std::numeric_limits<Key>::max();
    static constexpr std::uint64_t kNobody = 0; // took no step yet: anyone's first step is no switch
    enum class Arcs { kAll, kOfLast };

    struct Fact {
        std::uint64_t lasts; // the processes, as bits, that were last on ways with the fewest switches
        std::uint32_t switches;
        std::uint32_t depth;
        bool is_met, is_expanded;
    };
    struct Visit {
        Index state;
        std::uint32_t before; // the visit that it goes on from; none for initial states
        std::uint32_t action;
        std::uint64_t last; // one bit
    };

    void go_on(Index visit, std::uint32_t switches) {
        const auto [state, before, action, last] = visits_[visit];
        Fact& fact = facts_[state];
        const bool first_time = !fact.is_expanded;
        fact.is_expanded = true;
        run_.reach_depth(fact.depth);
        run_.buffer.clear();
        const std::uint32_t marks = run_.expand_through(state, first_time);
        if ((marks & run_.stop()) != 0 && switches < best_) {
            keep(visit, switches);
            run_.outcome().found = marks & run_.stop();
        }
        reach_all(last, visit, switches, first_time ? Arcs::kAll : Arcs::kOfLast);
        if (run_.going()) {
            run_.pulse(waiting_);
        }
    }

    void reach_all(std::uint64_t last, Index visit, std::uint32_t switches, Arcs which) {
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            const std::uint64_t mover = visit == kNoIndex ? kNobody : bit_of(arc.action, last);
            const bool goes_on = last == kNobody || mover == last;
            if (goes_on || which == Arcs::kAll) {
                follow(i, visit, switches + !goes_on, mover);
            }
        }
    }

    // A step of no process goes on with the one before it. With more than 64, some count as one.
    std::uint64_t bit_of(std::uint32_t action, std::uint64_t last) const {
        const std::int32_t process = run_.space.process_of(action);
        return process < 0 ? last : std::uint64_t{1} << (process % 64);
    }

    void follow(std::size_t i, Index visit, std::uint32_t switches, std::uint64_t mover) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if ((arc.marks & run_.stop()) != 0) {
            if (switches < best_) {
                keep(visit, switches);
                run_.add_violation(run_.buffer, i);
            }
        } else if ((arc.marks & kError) == 0) {
            reach(i, visit, switches, mover);
        }
    }

    void reach(std::size_t i, Index visit, std::uint32_t switches, std::uint64_t mover) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        const Index source = visit == kNoIndex ? kNoIndex : visits_[visit].state;
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
        }
        if (!fact.is_met || switches < fact.switches) {
            const std::uint32_t depth = source == kNoIndex ? 0 : facts_[source].depth + 1;
            fact = {0, switches, depth, true, false};
        } else if (switches > fact.switches || (fact.lasts & mover) == mover) {
            return;
        }
        fact.lasts |= mover;
        wait({done.index, visit, arc.action, mover}, switches);
    }

    void wait(const Visit& visit, std::uint32_t switches) {
        if (!visits_.ensure(made_)) {
            return run_.end(Status::kMemory);
        }
        visits_[made_] = visit;
        if (!open_.push(switches, static_cast<Index>(made_))) {
            return run_.end(Status::kMemory);
        }
        ++made_;
        ++waiting_;
    }

    // What is found from here on has fewer switches than what was found before. The way there visits no state twice:
    // coming back to one under another process takes a switch more.
    void keep(Index visit, std::uint32_t switches) {
        Outcome& outcome = run_.outcome();
        run_.statistics.goals -= (outcome.found & kGoal) != 0;
        const Index end = visit == kNoIndex ? kNoIndex : visits_[visit].state;
        for (Index at = visit; at != kNoIndex; at = visits_[at].before) {
            const auto& [state, before, action, last] = visits_[at];
            run_.store.set_origin(state, before == kNoIndex ? kNoIndex : visits_[before].state, action);
        }
        outcome.path = path_to(run_.store, end);
        outcome.error_action = outcome.error_detail = 0;
        best_ = switches;
    }

    void finish() {
        Outcome& outcome = run_.outcome();
        if (best_ != kUnknown) {
            outcome.truncated = !run_.going();
            run_.end_found();
        } else if (run_.going()) {
            run_.end(Status::kExhausted);
        }
    }

    Run<S, T>& run_;
    OpenList open_; // of visits, by switches
    Column<Fact> facts_;
    Column<Visit> visits_;
    std::size_t made_ = 0, waiting_ = 0;
    Key best_ = kUnknown; // the switches of what was found
};

} // namespace beeline
