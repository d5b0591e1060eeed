// The path of a depth-first search: the states on it, and the arcs of each that are still to be followed.
//
// All targets of a state are stored when it is expanded, many lookups at once, so an arc is two numbers. Which of the
// stored states have been visited is the search's own business.
#pragma once

#include "search/run.hpp"
#include "state/counted_stack.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

struct Follow {
    Index target;
    std::uint32_t action;
};

// `Fact` is what the search keeps of each state on the path.
template <Space S, StateStore T, class Fact>
class Descent {
public:
    struct Frame {
        Index state;
        std::uint32_t action; // that led here
        std::size_t first;    // of its arcs
        std::size_t next;     // of its arcs to follow
        Fact fact;
    };

    explicit Descent(Run<S, T>& run) : run_(run), frames_(run.memory()), arcs_(run.memory()) {}

    bool empty() const { return frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    Frame& top() { return frames_.top(); }
    const Frame& operator[](std::size_t i) const { return frames_[i]; }

    // Stores the initial states, which are in the buffer.
    std::vector<Index> starts() {
        std::vector<Index> found;
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            const std::size_t before = run_.store.size();
            const Index start = stored(kNoIndex, i);
            if (run_.store.size() > before) {
                found.push_back(start);
            }
        }
        return found;
    }

    // Steps onto a state and finds its arcs: targets that are new are stored, unless only `known` ones are wanted.
    // Returns the state's marks. Whether the run goes on is to be asked afterwards.
    std::uint32_t enter(Index state, std::uint32_t action, const Fact& fact, bool known) {
        if (!frames_.push({state, action, arcs_.size(), arcs_.size(), fact})) {
            run_.end(Status::kMemory);
            return kNone;
        }
        run_.buffer.clear();
        const std::uint32_t marks = known ? run_.expand_through(state, false) : run_.expand(state);
        if (run_.going()) {
            keep_arcs(state, known);
        }
        run_.reach_depth(frames_.size() - 1);
        run_.pulse(frames_.size());
        return marks;
    }
    bool has_arc() { return top().next < arcs_.size(); }
    const Follow& arc() { return arcs_[top().next]; }
    void pass_arc() { ++top().next; }
    void leave() {
        arcs_.cut(top().first);
        frames_.pop();
    }

    // Appends the states of the path to another one, from the frame with this number on.
    void append_to(Path& path, std::size_t first) const {
        for (std::size_t i = first; i < frames_.size(); ++i) {
            path.append(frames_[i].action, run_.store.state(frames_[i].state));
        }
    }
    // The position of a state that is on the path.
    std::size_t position(Index state) const {
        std::size_t i = frames_.size() - 1;
        while (frames_[i].state != state) {
            --i;
        }
        return i;
    }

private:
    void keep_arcs(Index state, bool known) {
        SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
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
    CountedStack<Frame> frames_;
    CountedStack<Follow> arcs_;
};

} // namespace beeline
