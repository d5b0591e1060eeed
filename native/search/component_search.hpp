// Searches for accepting cycles by strongly connected components, on the fly (Couvreur, On-the-fly verification of
// linear temporal logic, FM 1999): for acceptance by several sets, and so for fairness.
//
// States on the path and those that belong to them fall into components, which a stack keeps with the acceptance sets
// that their arcs meet. An arc back into one joins all components from there on; once one meets all sets, it holds a
// violation. Under strong fairness that takes a complete component, which is then looked into.
//
// A state is on the path or, once it is left, on the stack of those whose component is not complete, never on both
// (Pearce, A space-efficient algorithm for finding strongly connected components, 2016).
#pragma once

#include "search/component.hpp"
#include "search/recent_path.hpp"

#include <limits>

namespace beeline {

struct ComponentOptions {
    Fairness fairness = Fairness::kNone;
    std::size_t arc_bytes = std::size_t{1} << 18; // that arcs which wait may take, however few states there are
};

template <Space S, StateStore T, class Sets>
class ComponentSearch {
public:
    static constexpr std::size_t kSideBytes = sizeof(std::uint32_t);

    ComponentSearch(Run<S, T>& run, const ComponentOptions& options)
        : run_(run), strong_(options.fairness == Fairness::kStrong), arc_bytes_(options.arc_bytes),
          acceptance_(run.space, options.fairness), path_(run), order_(run.memory()), left_(run.memory()),
          components_(run.memory()) {}

    void search() {
        run_.initial();
        if (run_.going()) {
            visit_initial();
        }
        if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
    }

private:
    static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kArcBytesAState = 6; // that arcs which wait may take: little beside the state itself
    struct Open {
        std::uint32_t first; // the order of the state that was met first
        Sets inside;         // that its arcs meet
        Sets incoming;       // that the arc meets which led here
    };

    void visit_initial() {
        const std::vector<MarkedFollow> starts = path_.starts();
        if (run_.going() && !order_.ensure(run_.store.size())) {
            run_.end(Status::kMemory);
        }
        for (const MarkedFollow& start : starts) {
            if (run_.going() && order_[start.target] == 0) {
                note_entered(path_.begin(start, false), {});
            }
            while (run_.going() && !path_.empty()) {
                go_on();
            }
        }
    }

    void note_entered(std::uint32_t marks, const Sets& incoming) {
        if (!run_.going()) {
            return;
        }
        if (!components_.push({++count_, {}, incoming})) {
            return run_.end(Status::kMemory);
        }
        order_[path_.state()] = count_;
        note_arcs(marks);
    }

    void note_arcs(std::uint32_t marks) {
        path_.fact() = acceptance_.of_state(marks, run_.buffer);
        path_.keep_arcs(false, [this](const MarkedFollow& arc) { return is_wanted(arc); });
        path_.keep_within(arc_bytes_ + kArcBytesAState * run_.store.size());
    }

    // Arcs to states that were visited before count at once; others wait for their turn.
    bool is_wanted(const MarkedFollow& arc) {
        if (!order_.ensure(arc.target)) {
            run_.end(Status::kMemory);
            return false;
        }
        const std::uint32_t order = order_[arc.target];
        if (order != 0 && order != kDone) {
            join(order, path_.fact() | acceptance_.of_step(arc.action, arc.marks));
        }
        return order == 0;
    }

    void go_on() {
        if (path_.forgotten()) {
            return remember();
        }
        if (!path_.has_arc()) {
            return leave();
        }
        const MarkedFollow arc = path_.arc();
        const Sets sets = path_.fact() | acceptance_.of_step(arc.action, arc.marks);
        if (order_[arc.target] == 0) {
            if (path_.depth() <= run_.limits().depth) {
                return note_entered(path_.enter(false), sets); // the arc is looked at again when that is done
            }
            cut_ = true;
        } else if (order_[arc.target] != kDone) {
            join(order_[arc.target], sets);
        }
        path_.pass_arc();
    }

    void remember() {
        const std::uint32_t marks = path_.remember();
        if (run_.going()) {
            note_arcs(marks);
        }
    }

    // All components from that of the state with this order on become one.
    void join(std::uint32_t order, Sets sets) {
        while (components_.top().first > order) {
            sets |= components_.top().inside | components_.top().incoming;
            components_.pop();
        }
        components_.top().inside |= sets;
        if (!strong_ && components_.top().inside.includes(acceptance_.all())) {
            // What it takes to tell the cycle is no part of the search for it.
            const Statistics before = run_.statistics;
            const RoundTrip trip = Component(run_, acceptance_, members()).through_all_sets();
            run_.statistics.expanded = before.expanded;
            run_.statistics.generated = before.generated;
            report(trip);
        }
    }

    void leave() {
        const Index state = path_.state();
        if (components_.top().first != order_[state]) {
            if (!left_.push(state)) {
                return run_.end(Status::kMemory);
            }
        } else {
            if (strong_ && components_.top().inside.includes(acceptance_.property())) {
                report(Component(run_, acceptance_, members()).strongly_fair());
            }
            close(state);
        }
        if (run_.going()) {
            path_.leave();
        }
    }

    // The component of this state, which is the first of it, is complete.
    void close(Index first) {
        for (; !left_.empty() && order_[left_.top()] > order_[first]; left_.pop()) {
            order_[left_.top()] = kDone;
        }
        order_[first] = kDone;
        components_.pop();
    }

    // The states of the last component, in the order in which they were visited.
    std::vector<Index> members() {
        const std::uint32_t first = components_.top().first;
        std::vector<Index> found;
        for (std::size_t i = path_.depth(); i-- > 0 && order_[path_.state(i)] >= first;) {
            found.push_back(path_.state(i));
        }
        for (std::size_t i = left_.size(); i-- > 0 && order_[left_[i]] >= first;) {
            found.push_back(left_[i]);
        }
        std::sort(found.begin(), found.end(), [this](Index one, Index other) { return order_[one] < order_[other]; });
        return found;
    }

    void report(const RoundTrip& trip) {
        if (!run_.going() || trip.steps.empty()) {
            return;
        }
        Path& path = run_.outcome().path;
        path = path_to(run_.store, trip.start);
        const std::size_t start = path.size() - 1;
        for (const auto& [action, target] : trip.steps) {
            path.append(action, run_.store.state(target));
        }
        run_.end_at_cycle(start);
    }

    Run<S, T>& run_;
    bool strong_;
    std::size_t arc_bytes_;
    bool cut_ = false;
    std::uint32_t count_ = 0;
    Acceptance<S, Sets> acceptance_;
    Descent<S, T, RecentPath<MarkedFollow, Sets>> path_; // with the sets that each state is in
    Column<std::uint32_t> order_; // in which states were visited; 0: not yet, kDone: nothing more comes of it
    CountedStack<Index> left_;    // no longer on the path, of components that are not complete
    CountedStack<Open> components_;
};

// Room for sets of every process is taken only where they count.
template <Space S>
bool needs_many_sets(const S& space, const ComponentOptions& options) {
    if constexpr (ProcessSpace<S>) {
        const std::size_t sets = std::max<std::size_t>(1, acceptance_sets(space));
        return options.fairness != Fairness::kNone && space.processes() + sets > FewSets::kMost;
    } else {
        return false;
    }
}
template <Space S, StateStore T>
using FewSetsSearch = ComponentSearch<S, T, FewSets>;
template <Space S, StateStore T>
using ManySetsSearch = ComponentSearch<S, T, ManySets>;

} // namespace beeline
