// Uninterrupted runs (Promela's `atomic`) that one expansion passes through as if each were a single step.
//
// A run is followed in place where that is possible, as deep as runs may nest; what lies further on, and all states in
// the middle of runs where it is not, are put off and expanded one after another. Each state in the middle is gone
// through once; the ways that lead on from there count again whenever it is met again.
//
// Between expansions nothing is held and no run is under way.
#pragma once

#include "jit/interface.hpp"
#include "program/held_states.hpp"
#include "program/way_counter.hpp"
#include "state/successors.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

class MergedRuns {
public:
    // A run that goes on and on is handed out in the end: the search then keeps its states, and its limits see them.
    static constexpr std::size_t kLongest = 1 << 16;

    // `merged`: states in the middle of runs are not handed out. `in_place`: they need not be looked at as states.
    MergedRuns(bool merged, bool in_place, std::size_t words) : merged_(merged), in_place_(merged && in_place) {
        use_layout(words);
    }

    void use_layout(std::size_t words) {
        words_ = words;
        current_.resize(words);
        middles_.resize((kMostNested + 1) * stride());
    }
    bool merges() const { return merged_; }
    bool in_place() const { return in_place_; }

    // A new expansion, or a second try at the present one.
    void clear() { held_.clear(words_); }
    void begin() {
        clear();
        ways_.clear();
        expanded_ = 0;
    }
    // At the beginning of each state's expansion.
    void leave() { inside_ = false; }
    void surface() { depth_ = 0; }

    bool is_inside() const { return inside_; }
    // The action under which a step is told: the one that began the run, if it is inside one.
    std::uint32_t told(std::uint32_t action) const { return inside_ ? action_ : action; }
    bool is_long() const { return held_.size() >= kLongest; }
    bool is_empty() const { return held_.size() == 0; }
    // Whether nothing is put off.
    bool all_done() const { return held_.all_done(); }
    HeldStates& held() { return held_; }

    // Places for packed states in the middle of runs, by depth.
    std::size_t stride() const { return words_ + kSpareWords; }
    Word* middles() { return middles_.data(); }
    Word* middle() { return middles_.data() + static_cast<std::size_t>(depth_) * stride(); }

    // Goes into the middle of a run, which an action may begin. `nests`: the rest can be followed in place.
    struct Middle {
        bool first, nests;
    };
    Middle enter(std::uint32_t action) {
        const bool first = !inside_;
        if (first) {
            action_ = action;
        }
        return {first, depth_ < kMostNested};
    }
    HeldStates::Addition hold(const Word* state, std::uint64_t hash) { return held_.add(state, hash, action_, true); }
    // Follows the run further by `follow`, which says whether it could.
    template <class Follow>
    bool deeper(const Middle& here, Follow&& follow) {
        ++depth_;
        inside_ = true;
        const bool able = follow();
        inside_ = !here.first;
        --depth_;
        return able;
    }

    // Moves the arc written last from the buffer to the states that are put off, unless its target was met before.
    void put_off(SuccessorBuffer& out, std::uint32_t action) {
        if (!is_long()) {
            const std::size_t last = out.size() - 1;
            ways_.add(expanded_, 1 + held_.add(out.state(last), out.hash(last), action, false).position);
            out.drop_last();
        }
    }

    // Expands what is put off, and all that is put off meanwhile: `expand(state)` appends to `out` and says how many
    // ways it arrived by. The arcs of the state itself begin at `first`. Returns the ways that have no arc, beyond
    // those of the state itself that are followed in place.
    template <class Expand>
    std::uint64_t expand_put_off(SuccessorBuffer& out, std::size_t first, Expand&& expand) {
        std::uint64_t repeated = 0;
        ways_.end(0, out.size() - first);
        inside_ = true;
        for (std::size_t i = 0; i < held_.size(); ++i) {
            if (!held_.is_done(i)) {
                std::copy_n(held_.state(i), words_, current_.data());
                action_ = held_.action(i);
                expanded_ = i + 1;
                const std::size_t before = out.size();
                const std::uint64_t arrived = expand(current_.data());
                ways_.end(expanded_, out.size() - before);
                repeated += arrived - (out.size() - before) - 1; // it was an arrival itself
            }
        }
        return in_place_ ? repeated : ways_.repeated();
    }

private:
    bool merged_, in_place_;
    std::size_t words_ = 0;
    HeldStates held_;
    WayCounter ways_;          // through those that are put off,
    std::size_t expanded_ = 0; // of which this one is expanded; 0 for the state itself
    std::uint32_t action_ = 0; // began the run
    bool inside_ = false;
    int depth_ = 0; // of runs that go on in place
    std::vector<Word> middles_;
    std::vector<Word> current_;
};

} // namespace beeline
