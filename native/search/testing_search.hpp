// Searches for violations in the product of a space and a testing automaton (Geldenhuys and Hansen, Larger automata and
// less work for LTL model checking, SPIN 2006): accepting states that are left by changes again and again, and
// livelocks, cycles without any change.
//
// The first pass is the paper's: components by Tarjan's algorithm, which answers as soon as a cycle is closed that
// leaves an accepting state by a change. On the way it carries along which states of the path are reached without a
// change, and so finds most livelocks, but not all. A second pass, which looks at livelock states and steps without
// changes alone, finds the rest. What is printed in the paper differs in two places, where it would be wrong: the
// colour of a target is looked at when the search has come back from it, and a step stutters where no proposition
// changes, not where the automaton stays.
#pragma once

#include "search/descent.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beeline {

struct TestingOptions {
    bool second_pass = true; // without it, livelocks may be missed: for comparisons with the paper
};

template <Space S, StateStore T>
    requires TestedSpace<S>
class TestingSearch {
public:
    static constexpr std::size_t kSideBytes = sizeof(std::uint32_t) * 3;

    TestingSearch(Run<S, T>& run, const TestingOptions& options)
        : run_(run), options_(options), path_(run), facts_(run.memory()), open_(run.memory()), accepting_(run.memory()),
          entered_(run.memory()) {}

    void search() {
        run_.initial();
        if (run_.going()) {
            visit_initial();
        }
        if (run_.going() && has_livelocks_ && options_.second_pass) {
            look_for_livelocks();
        }
        if (run_.going()) {
            const bool lost = has_livelocks_ && !options_.second_pass;
            run_.end(cut_ ? Status::kDepth : lost ? Status::kGaveUp : Status::kExhausted);
        }
    }

private:
    // On the path a state is grey; behind it, blue as long as its component may still grow, then black. In the second
    // pass black states become brown on the path, and white again behind it.
    enum Colour : std::uint8_t { kUnseen, kGrey, kBlue, kBlack, kBrown, kDone };
    struct Fact {
        std::uint32_t order, low;
        Colour colour;
        bool accepting, livelock;
    };
    struct Frame {
        bool came_back = false; // from the target of the arc that is looked at
    };
    // Of the states that a livelock may close at, so many are carried along. A second pass finds what is missed.
    static constexpr std::size_t kMostCarried = 32;

    void visit_initial() {
        const std::vector<Follow> starts = path_.starts();
        if (run_.going() && !facts_.ensure(run_.store.size())) {
            run_.end(Status::kMemory);
        }
        for (const Follow& start : starts) {
            if (run_.going() && facts_[start.target].colour == kUnseen) {
                note_entered(path_.begin(start, false), true);
            }
            while (run_.going() && !path_.empty()) {
                go_on();
            }
        }
    }

    bool stutters(Index from, Index to) const {
        return run_.space.stutters(run_.store.state(from), run_.store.state(to));
    }

    // `freshly`: at the start, or by a change.
    void note_entered(std::uint32_t marks, bool freshly) {
        path_.keep_all_arcs(false);
        if (!run_.going()) {
            return;
        }
        const Index state = path_.state();
        const bool livelock = run_.space.is_livelock(run_.store.state(state));
        const bool kept =
            facts_.ensure(run_.store.size()) && open_.push(state) && (!(livelock && freshly) || entered_.push(state));
        if (!kept) {
            return run_.end(Status::kMemory);
        }
        ++count_;
        facts_[state] = {count_, count_, kGrey, (marks & kAccept) != 0, livelock};
        has_livelocks_ = has_livelocks_ || livelock;
    }

    void go_on() {
        if (!path_.has_arc()) {
            return leave();
        }
        const Follow arc = path_.arc();
        const Index state = path_.state();
        const bool changes = !stutters(state, arc.target);
        const bool is_new = facts_[arc.target].colour == kUnseen;
        if (is_new && path_.depth() > run_.limits().depth) {
            cut_ = true;
            return path_.pass_arc();
        }
        const bool came_back = std::exchange(path_.fact().came_back, is_new);
        if (!came_back && changes && facts_[state].accepting && !accepting_.push(state)) {
            return run_.end(Status::kMemory);
        }
        if (is_new) {
            return note_entered(path_.enter(false), changes); // the arc is looked at again when that is done
        }
        if (facts_[arc.target].colour != kBlack) {
            meet(state, arc, changes, came_back);
        }
        if (!accepting_.empty() && accepting_.top() == state) {
            accepting_.pop();
        }
        if (run_.going()) {
            path_.pass_arc();
        }
    }

    // The target belongs to a component that may still grow.
    void meet(Index state, const Follow& arc, bool changes, bool came_back) {
        Fact& own = facts_[state];
        own.low = std::min(own.low, facts_[arc.target].low);
        if (!accepting_.empty() && own.low <= facts_[accepting_.top()].order) {
            return report_visits(arc);
        }
        if (!own.livelock || changes) {
            return;
        }
        std::vector<Index> met{arc.target};
        if (const auto carried = carried_.find(arc.target); carried != carried_.end()) {
            met.insert(met.end(), carried->second.begin(), carried->second.end());
        }
        for (const Index other : met) {
            if (facts_[other].colour != kGrey) {
                continue;
            }
            const bool closes = !entered_.empty() && facts_[other].order >= facts_[entered_.top()].order;
            if (closes && (other != arc.target || !came_back)) {
                return report(other, way(other, other, [this](Index from, Index to) { return stutters(from, to); }));
            }
            carry(state, other);
        }
    }

    void carry(Index state, Index other) {
        std::vector<Index>& carried = carried_[state];
        if (carried.size() < kMostCarried && std::find(carried.begin(), carried.end(), other) == carried.end()) {
            carried.push_back(other);
        }
    }

    void leave() {
        const Index state = path_.state();
        if (!entered_.empty() && entered_.top() == state) {
            entered_.pop();
        }
        facts_[state].colour = kBlue;
        if (facts_[state].low == facts_[state].order) {
            close(state);
        }
        path_.leave();
    }

    void close(Index first) {
        Index state = kNoIndex;
        do {
            state = open_.top();
            open_.pop();
            facts_[state].colour = kBlack;
            carried_.erase(state);
        } while (state != first);
    }

    // Second pass: depth-first along steps without a change, which stay among livelock states.
    void look_for_livelocks() {
        Descent<S, T> path(run_);
        for (Index start = 0; run_.going() && start < run_.store.size(); ++start) {
            if (facts_[start].colour != kBlack || !facts_[start].livelock) {
                continue;
            }
            facts_[start].colour = kBrown;
            path.begin({{start}, 0}, true);
            path.keep_all_arcs(true);
            while (run_.going() && !path.empty()) {
                if (!path.has_arc()) {
                    facts_[path.state()].colour = kDone;
                    path.leave();
                    continue;
                }
                const Follow arc = path.arc();
                const bool stays = stutters(path.state(), arc.target);
                if (stays && facts_[arc.target].colour == kBrown) {
                    report(arc.target,
                           way(arc.target, arc.target, [this](Index from, Index to) { return stutters(from, to); }));
                } else if (stays && facts_[arc.target].colour == kBlack) {
                    facts_[arc.target].colour = kBrown;
                    path.enter(true); // the arc is looked at again when that is done
                    path.keep_all_arcs(true);
                } else {
                    path.pass_arc();
                }
            }
        }
    }

    using Way = std::vector<std::pair<std::uint32_t, Index>>; // actions and targets

    // A cycle that begins with the change by which the path leaves an accepting state.
    void report_visits(const Follow& arc) {
        const Index start = accepting_.top();
        const std::size_t next = path_.position(start) + 1;
        const bool is_last = next == path_.depth();
        const Follow first = is_last ? arc : path_.arcs_from(next).front();
        const Index second = first.target;
        Way cycle{{first.action, second}};
        const auto is_open = [this](Index, Index to) {
            return facts_[to].colour == kGrey || facts_[to].colour == kBlue;
        };
        const Way back = second == start ? Way{} : way(second, start, is_open);
        cycle.insert(cycle.end(), back.begin(), back.end());
        report(start, cycle);
    }

    void report(Index start, const Way& cycle) {
        if (!run_.going()) {
            return;
        }
        Path& path = run_.outcome().path;
        path = path_to(run_.store, start);
        const std::size_t position = path.size() - 1;
        for (const auto& [action, target] : cycle) {
            path.append(action, run_.store.state(target));
        }
        run_.end_at_cycle(position);
    }

    // The shortest way of one step or more between known states, by steps that are allowed.
    template <class Allowed>
    Way way(Index from, Index to, const Allowed& allowed) {
        std::unordered_map<Index, std::pair<std::uint32_t, Index>> came_by; // the action, and from where
        std::deque<Index> queue{from};
        for (; run_.going() && !queue.empty(); queue.pop_front()) {
            const Index state = queue.front();
            run_.buffer.clear();
            run_.successors(run_.store.state(state)); // not counted: the cycle is found
            run_.pulse();
            for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
                if ((run_.buffer.arc(i).marks & kError) != 0) {
                    continue;
                }
                const Word* words = run_.buffer.state(i);
                const Index target = run_.store.find(words, run_.store.hash(words));
                if (target == kNoIndex || !allowed(state, target) ||
                    !came_by.emplace(target, std::pair{run_.buffer.arc(i).action, state}).second) {
                    continue;
                }
                if (target == to) {
                    return told(came_by, from, to);
                }
                queue.push_back(target);
            }
        }
        return {};
    }

    static Way told(const std::unordered_map<Index, std::pair<std::uint32_t, Index>>& came_by, Index from, Index to) {
        Way steps;
        Index at = to;
        do {
            const auto& [action, before] = came_by.at(at);
            steps.emplace_back(action, at);
            at = before;
        } while (at != from);
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    Run<S, T>& run_;
    TestingOptions options_;
    bool cut_ = false;
    bool has_livelocks_ = false;
    std::uint32_t count_ = 0;
    Descent<S, T, PathStack<Follow, Frame>> path_;
    Column<Fact> facts_;
    CountedStack<Index> open_;      // whose component may still grow
    CountedStack<Index> accepting_; // on the path, left by a change
    CountedStack<Index> entered_;   // livelock states on the path, reached by a change
    std::unordered_map<Index, std::vector<Index>> carried_;
};

} // namespace beeline
