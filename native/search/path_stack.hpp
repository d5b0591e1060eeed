// The stack of a depth-first search whose states are all stored: the states on the path, and the arcs of each that are
// still to be followed.
//
// A path may be as long as there are states, so it is kept in few bytes: an arc is one or two numbers, and the state of
// a frame is the target of the arc on which the frame stands, which is passed only when that state has been left. A
// frame counts its own arcs, so where those of another begin is found by counting down from the last one.
#pragma once

#include "search/outcome.hpp"
#include "search/random.hpp"
#include "state/counted_stack.hpp"
#include "state/store.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

struct Onward {
    Index target;
};
struct Follow : Onward {
    std::uint32_t action;
};

struct NoFact {};

// `ArcType` is what is kept of each arc, an Onward at least, and `Fact` what the search keeps of each state on the
// path.
template <class ArcType = Follow, class Fact = NoFact>
class PathStack {
public:
    using Arc = ArcType;

    explicit PathStack(MemoryAccount& account) : frames_(account), arcs_(account) {}

    bool empty() const { return frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // The state on which the path ends, and what is kept of it.
    Index state() const { return arcs_[arcs_.size() - 1 - last().arcs].target; }
    Fact& fact() { return frames_.top().fact; }

    // What follows returns false if the memory budget refuses.

    // Steps onto a state from nowhere; the path must be empty.
    bool begin(const Arc& start) {
        arcs_.cut(0);
        return arcs_.push(start) && enter();
    }
    // Steps onto the target of the present arc.
    bool enter() { return frames_.push({0, {}}); }
    // Adds an arc of the state on which the path ends. When all are there, they are put in order: the first of them
    // comes first, or any.
    bool add(const Arc& arc) { return arcs_.push(arc) && ++frames_.top().arcs > 0; }
    void order_arcs() { std::reverse(first_arc(), first_arc() + last().arcs); }
    void shuffle_arcs(Random& random) {
        for (std::size_t i = last().arcs; i > 1; --i) {
            std::swap(first_arc()[i - 1], first_arc()[random.below(i)]);
        }
    }
    void drop_arcs() {
        arcs_.cut(arcs_.size() - last().arcs);
        frames_.top().arcs = 0;
    }

    bool has_arc() const { return last().arcs > 0; }
    const Arc& arc() const { return arcs_[arcs_.size() - 1]; }
    void pass_arc() {
        arcs_.pop();
        --frames_.top().arcs;
    }
    // Leaves a state that has no more arcs to be followed: then the arc that led there is the present one again.
    void leave() { frames_.pop(); }

    // The arcs that led to the states of the path, from that of the frame with this number on.
    std::vector<Arc> arcs_from(std::size_t frame) const {
        std::vector<Arc> found;
        for (std::size_t i = frames_.size(), behind = arcs_.size(); i-- > frame;) {
            behind -= frames_[i].arcs;
            found.push_back(arcs_[behind - 1]);
        }
        std::reverse(found.begin(), found.end());
        return found;
    }
    // Appends the states of the path to another one, from the frame with this number on.
    template <StateStore T>
    void append_to(Path& path, std::size_t first, const T& store) const {
        for (const Arc& arc : arcs_from(first)) {
            path.append(arc.action, store.state(arc.target));
        }
    }
    // The position of a state that is on the path.
    std::size_t position(Index wanted) const {
        std::size_t i = frames_.size() - 1;
        for (std::size_t behind = arcs_.size() - frames_[i].arcs; arcs_[behind - 1].target != wanted;) {
            behind -= frames_[--i].arcs;
        }
        return i;
    }

private:
    struct Frame {
        std::uint32_t arcs; // that are not passed yet; they are followed from the last one on
        [[no_unique_address]] Fact fact;
    };

    const Frame& last() const { return frames_[frames_.size() - 1]; }
    Arc* first_arc() { return &arcs_[arcs_.size() - last().arcs]; }

    CountedStack<Frame> frames_;
    CountedStack<Arc> arcs_; // of each frame those that are not passed yet, the next one last
};

} // namespace beeline
