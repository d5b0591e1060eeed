// The path of a depth-first search: the states on it, and the arcs of each that are still to be followed.
//
// All targets of a state are stored when it is expanded, many lookups at once, so an arc is two numbers. Which of the
// stored states have been visited is the search's own business. A path may be as long as there are states, so it is
// kept in few bytes: the state of a frame is the target of the arc on which the frame stands, which is passed only when
// that state has been left.
#pragma once

#include "search/tight_layout.hpp"
#include "state/counted_stack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

struct Follow {
    Index target;
    std::uint32_t action;
};

struct NoFact {};

// `Fact` is what the search keeps of each state on the path.
template <Space S, StateStore T, class Fact = NoFact>
class Descent {
public:
    // Without `may_tighten` the space keeps its layout of words.
    explicit Descent(Run<S, T>& run, bool may_tighten = true)
        : run_(run), layout_(run, may_tighten), frames_(run.memory()), arcs_(run.memory()) {}

    bool empty() const { return frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // Of the state on which the path ends.
    Index state() const { return state(frames_.size() - 1); }
    Fact& fact() { return frames_.top().fact; }

    // Stores the initial states, which are in the buffer.
    std::vector<Follow> starts() {
        std::vector<Follow> found;
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            const std::size_t before = run_.store.size();
            const Index start = stored(kNoIndex, i);
            if (run_.store.size() > before) {
                found.push_back({start, run_.buffer.arc(i).action});
            }
        }
        return found;
    }

    // Steps onto a state from nowhere; the path must be empty.
    std::uint32_t begin(const Follow& start, bool known) {
        arcs_.cut(0);
        if (!arcs_.push(start)) {
            run_.end(Status::kMemory);
            return kNone;
        }
        return enter(known);
    }
    // Steps onto the target of the present arc and finds its arcs: targets that are new are stored, unless only `known`
    // ones are wanted. Returns the state's marks. Whether the run goes on is to be asked afterwards.
    std::uint32_t enter(bool known) {
        layout_.adapt();
        const Index state = arc().target;
        if (!frames_.push({arcs_.size(), {}})) {
            run_.end(Status::kMemory);
            return kNone;
        }
        const std::uint32_t marks =
            with_room(run_, [&] { return known ? run_.expand_through(state, false) : run_.expand(state); });
        if (run_.going()) {
            keep_arcs(state, known);
        }
        run_.reach_depth(frames_.size() - 1);
        run_.pulse(frames_.size());
        return marks;
    }
    bool has_arc() const { return arcs_.size() > frames_[frames_.size() - 1].first; }
    const Follow& arc() const { return arcs_[arcs_.size() - 1]; }
    void pass_arc() { arcs_.pop(); }
    // Leaves a state that has no more arcs to be followed: then the arc that led there is the present one again.
    void leave() { frames_.pop(); }

    // Appends the states of the path to another one, from the frame with this number on.
    void append_to(Path& path, std::size_t first) const {
        for (std::size_t i = first; i < frames_.size(); ++i) {
            path.append(arcs_[frames_[i].first - 1].action, run_.store.state(state(i)));
        }
    }
    // The position of a state that is on the path.
    std::size_t position(Index wanted) const {
        std::size_t i = frames_.size() - 1;
        while (state(i) != wanted) {
            --i;
        }
        return i;
    }

private:
    struct Frame {
        std::size_t first; // of its arcs; they are followed from the last one on
        [[no_unique_address]] Fact fact;
    };

    Index state(std::size_t frame) const { return arcs_[frames_[frame].first - 1].target; }

    void keep_arcs(Index state, bool known) {
        SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        const std::size_t first = arcs_.size();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0) {
                const Index target = known ? run_.store.find(buffer.state(i), buffer.hash(i)) : stored(state, i);
                if (!run_.going()) {
                    return;
                }
                if (target != kNoIndex && !arcs_.push({target, buffer.arc(i).action})) {
                    return run_.end(Status::kMemory);
                }
            }
        }
        std::reverse(&arcs_[first], &arcs_[arcs_.size()]);
    }

    Index stored(Index state, std::size_t i) {
        const SuccessorBuffer& buffer = run_.buffer;
        const Insertion done = run_.store.insert(buffer.state(i), buffer.hash(i), state, buffer.arc(i).action);
        if (done.result == Insert::kFull) {
            run_.end_full();
        } else if (done.result == Insert::kFresh) {
            run_.count_fresh(buffer.arc(i).marks);
        }
        return done.index;
    }

    Run<S, T>& run_;
    TightLayout<S, T> layout_;
    CountedStack<Frame> frames_;
    CountedStack<Follow> arcs_; // of each frame those that are not passed yet, the next one last
};

} // namespace beeline
