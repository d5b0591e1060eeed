// The stack of a depth-first search whose states are all stored: the states on the path, and the arcs of each that are
// still to be followed.
//
// A path may be as long as there are states, so it is kept in few bytes: an arc is two numbers, and the state of a
// frame is the target of the arc on which the frame stands, which is passed only when that state has been left.
#pragma once

#include "search/outcome.hpp"
#include "search/random.hpp"
#include "state/counted_stack.hpp"
#include "state/store.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace beeline {

struct Follow {
    Index target;
    std::uint32_t action;
};

struct NoFact {};

// `Arc` is what is kept of each arc, a Follow at least, and `Fact` what the search keeps of each state on the path.
template <class Arc = Follow, class Fact = NoFact>
class PathStack {
public:
    explicit PathStack(MemoryAccount& account) : frames_(account), arcs_(account) {}

    bool empty() const { return frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // The state on which the path ends, and what is kept of it.
    Index state() const { return arc_to(frames_.size() - 1).target; }
    Fact& fact() { return frames_.top().fact; }

    // What follows returns false if the memory budget refuses.

    // Steps onto a state from nowhere; the path must be empty.
    bool begin(const Arc& start) {
        arcs_.cut(0);
        return arcs_.push(start) && enter();
    }
    // Steps onto the target of the present arc.
    bool enter() { return frames_.push({arcs_.size(), {}}); }
    // Adds an arc of the state on which the path ends. When all are there, they are put in order: the first of them
    // comes first, or any.
    bool add(const Arc& arc) { return arcs_.push(arc); }
    void order_arcs() { std::reverse(first_arc(), first_arc() + arc_count()); }
    void shuffle_arcs(Random& random) {
        for (std::size_t i = arc_count(); i > 1; --i) {
            std::swap(first_arc()[i - 1], first_arc()[random.below(i)]);
        }
    }
    void drop_arcs() { arcs_.cut(frames_.top().first); }

    bool has_arc() const { return arcs_.size() > frames_[frames_.size() - 1].first; }
    const Arc& arc() const { return arcs_[arcs_.size() - 1]; }
    void pass_arc() { arcs_.pop(); }
    // Leaves a state that has no more arcs to be followed: then the arc that led there is the present one again.
    void leave() { frames_.pop(); }

    // The arc that led to the state of the frame with this number.
    const Arc& arc_to(std::size_t frame) const { return arcs_[frames_[frame].first - 1]; }
    // Appends the states of the path to another one, from the frame with this number on.
    template <StateStore T>
    void append_to(Path& path, std::size_t first, const T& store) const {
        for (std::size_t i = first; i < frames_.size(); ++i) {
            path.append(arc_to(i).action, store.state(arc_to(i).target));
        }
    }
    // The position of a state that is on the path.
    std::size_t position(Index wanted) const {
        std::size_t i = frames_.size() - 1;
        while (arc_to(i).target != wanted) {
            --i;
        }
        return i;
    }

private:
    struct Frame {
        std::size_t first; // of its arcs; they are followed from the last one on
        [[no_unique_address]] Fact fact;
    };

    Arc* first_arc() { return &arcs_[frames_.top().first]; }
    std::size_t arc_count() { return arcs_.size() - frames_.top().first; }

    CountedStack<Frame> frames_;
    CountedStack<Arc> arcs_; // of each frame those that are not passed yet, the next one last
};

} // namespace beeline
