// The stack of a depth-first search that keeps the arcs of the last states of its path only.
//
// A path may be as long as there are states, and then the arcs that wait take more than the states do. Here each state
// on the path takes one number. Arcs, and what the search keeps of a state, have a limit that grows with the number of
// states stored; beyond it the older half is forgotten. Whoever comes back to such a state expands it again, which
// happens at most once for each step back.
#pragma once

#include "search/path_stack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace beeline {

template <class ArcType, class Fact>
class RecentPath {
public:
    using Arc = ArcType;

    explicit RecentPath(MemoryAccount& account) : states_(account), recent_(account), arcs_(account) {}

    bool empty() const { return states_.empty(); }
    std::size_t depth() const { return states_.size(); }
    Index state() const { return states_[states_.size() - 1]; }
    Index state(std::size_t position) const { return states_[position]; }
    // Whether the arcs and the fact of the last state are no longer known. Then only `remember` may follow.
    bool forgotten() const { return recent_.empty(); }
    Fact& fact() { return recent_.top().fact; }

    // What follows returns false if the memory budget refuses.

    // Steps onto a state from nowhere; the path must be empty.
    bool begin(const Arc& start) { return states_.push(start.target) && recent_.push({}); }
    // Steps onto the target of the present arc, which is looked at again when that state has been left.
    bool enter() { return states_.push(arc().target) && recent_.push({}); }
    // Makes a forgotten state one whose arcs are to be added, as if it were entered.
    bool remember() { return recent_.push({}); }
    bool add(const Arc& arc) { return arcs_.push(arc) && ++recent_.top().arcs > 0; }
    // The arc that was added first comes first.
    void order_arcs() {
        if (has_arc()) {
            Arc* last = &arcs_[arcs_.size() - 1];
            std::reverse(last + 1 - recent_.top().arcs, last + 1);
        }
    }

    bool has_arc() const { return recent_[recent_.size() - 1].arcs > 0; }
    const Arc& arc() const { return arcs_[arcs_.size() - 1]; }
    void pass_arc() {
        arcs_.pop();
        --recent_.top().arcs;
    }
    // Leaves a state that has no more arcs to be followed.
    void leave() {
        states_.pop();
        recent_.pop();
    }

    // Forgets the older half of what is kept, if that takes more than `bytes`.
    void keep_within(std::size_t bytes) {
        if (recent_.size() * sizeof(Recent) + arcs_.size() * sizeof(Arc) <= bytes) {
            return;
        }
        const std::size_t old = recent_.size() / 2;
        std::size_t arcs = 0;
        for (std::size_t i = 0; i < old; ++i) {
            arcs += recent_[i].arcs;
        }
        recent_.drop_first(old);
        arcs_.drop_first(arcs);
    }

private:
    struct Recent {
        std::uint32_t arcs = 0; // that are not passed yet; they are followed from the last one on
        Fact fact{};
    };

    CountedStack<Index> states_;
    CountedStack<Recent> recent_; // of the last states of the path
    CountedStack<Arc> arcs_;      // of each of these those that are not passed yet, the next one last
};

} // namespace beeline
