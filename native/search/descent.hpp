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

template <Space S, StateStore T, class Stack = PathStack<>>
class Descent : public Stack {
public:
    using Arc = typename Stack::Arc;

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

    // Steps onto a state and expands it; `again` if that is not the first time. Returns the state's marks. If the run
    // goes on, which is to be asked afterwards, its arcs are to be kept.
    std::uint32_t begin(const Arc& start, bool again) { return expand(Stack::begin(start), again); }
    std::uint32_t enter(bool again) { return expand(Stack::enter(), again); }
    // Expands the last state once more, whose arcs the stack has forgotten.
    std::uint32_t remember() { return expand(Stack::remember(), true); }

    // Targets that are new are stored, unless only `known` ones matter. Paths may be as long as there are states, so
    // only those arcs are kept which the search wants to look at when it is their turn.
    template <class Wanted>
    void keep_arcs(bool known, Wanted&& wanted) {
        const Index state = this->state();
        SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) != 0) {
                continue;
            }
            const Index target = known ? run_.store.find(buffer.state(i), buffer.hash(i)) : stored(state, i);
            if (!run_.going()) {
                return;
            }
            if (target == kNoIndex) {
                continue;
            }
            const Arc arc = kept(target, i);
            const bool is_wanted = wanted(arc);
            if (!run_.going()) {
                return; // and the buffer may be another state's
            }
            if (is_wanted && !this->add(arc)) {
                return run_.end(Status::kMemory);
            }
        }
        this->order_arcs();
    }
    void keep_all_arcs(bool known) {
        if (run_.going()) {
            keep_arcs(known, [](const Arc&) { return true; });
        }
    }

private:
    std::uint32_t expand(bool entered, bool again) {
        if (!entered) {
            run_.end(Status::kMemory);
            return kNone;
        }
        layout_.adapt();
        const Index state = this->state();
        const std::uint32_t marks =
            with_room(run_, [&] { return again ? run_.expand_through(state, false) : run_.expand(state); });
        run_.reach_depth(this->depth() - 1);
        run_.pulse(this->depth());
        return marks;
    }

    Arc kept(Index target, std::size_t i) const {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if constexpr (std::is_same_v<Arc, MarkedFollow>) {
            return {{{target}, arc.action}, arc.marks};
        } else if constexpr (std::is_same_v<Arc, Onward>) {
            return {target};
        } else {
            return {{target}, arc.action};
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
