// A depth-first search's way down: a path whose states are expanded when it steps onto them.
//
// All targets of a state are stored when it is expanded, many lookups at once. Which of the stored states have been
// visited is the search's own business.
#pragma once

#include "search/path_stack.hpp"
#include "search/tight_layout.hpp"

#include <type_traits>
#include <vector>

namespace beeline {

// For searches that look at the marks of arcs when they follow them.
struct MarkedFollow : Follow {
    std::uint32_t marks;
};

template <Space S, StateStore T, class Arc = Follow, class Fact = NoFact>
class Descent : public PathStack<Arc, Fact> {
public:
    using Stack = PathStack<Arc, Fact>;

    // Without `may_tighten` the space keeps its layout of words.
    explicit Descent(Run<S, T>& run, bool may_tighten = true)
        : Stack(run.memory()), run_(run), layout_(run, may_tighten) {}

    // Stores the initial states, which are in the buffer.
    std::vector<Arc> starts() {
        std::vector<Arc> found;
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            const std::size_t before = run_.store.size();
            const Index start = stored(kNoIndex, i);
            if (run_.store.size() > before) {
                found.push_back(kept(start, i));
            }
        }
        return found;
    }

    // Steps onto a state and finds its arcs: targets that are new are stored, unless only `known` ones are wanted.
    // Returns the state's marks. Whether the run goes on is to be asked afterwards.
    std::uint32_t begin(const Arc& start, bool known) { return expand(Stack::begin(start), known); }
    std::uint32_t enter(bool known) { return expand(Stack::enter(), known); }

private:
    std::uint32_t expand(bool entered, bool known) {
        if (!entered) {
            run_.end(Status::kMemory);
            return kNone;
        }
        layout_.adapt();
        const Index state = this->state();
        const std::uint32_t marks =
            with_room(run_, [&] { return known ? run_.expand_through(state, false) : run_.expand(state); });
        if (run_.going()) {
            keep_arcs(state, known);
        }
        run_.reach_depth(this->depth() - 1);
        run_.pulse(this->depth());
        return marks;
    }

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
                if (target != kNoIndex && !this->add(kept(target, i))) {
                    return run_.end(Status::kMemory);
                }
            }
        }
        this->order_arcs();
    }

    Arc kept(Index target, std::size_t i) const {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if constexpr (std::is_same_v<Arc, MarkedFollow>) {
            return {{target, arc.action}, arc.marks};
        } else {
            return {target, arc.action};
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
    TightLayout<S, T> layout_;
};

} // namespace beeline
