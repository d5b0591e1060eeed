// Nested depth-first search for accepting cycles, with the early answers and the third colour of Schwoon and Esparza
// (A note on on-the-fly verification algorithms, TACAS 2005), iterative.
//
// The outer search visits everything; when it leaves an accepting state, an inner one looks for a way from there back
// to the outer search's path. A state that some inner search has seen is red: no cycle goes through it. A state all of
// whose successors are red becomes red without one. Where the property is weak (every cycle is accepting throughout or
// nowhere), a way back to the path is the answer at once, and no inner search is needed.
#pragma once

#include "search/descent.hpp"

#include <cassert>
#include <vector>

namespace beeline {

struct NestedOptions {
    bool weak = false;
};

template <Space S, StateStore T>
class NestedDepthFirst {
public:
    static constexpr std::size_t kSideBytes = sizeof(std::uint8_t);

    NestedDepthFirst(Run<S, T>& run, const NestedOptions& options)
        : run_(run), weak_(options.weak), outer_(run), inner_(run, false), facts_(run.memory()) {}

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
    // White states are those that nothing is known of: 0. On the path a state is cyan, behind it blue or red.
    enum Colour : std::uint8_t { kWhite = 0, kCyan = 1, kBlue = 2, kRed = 3, kColours = 3 };
    static constexpr std::uint8_t kAccepting = 4;
    static constexpr std::uint8_t kNotAllRed = 8; // on the path: some successor was not red when it was passed

    void visit_initial() {
        const std::vector<Onward> starts = outer_.starts();
        if (run_.going() && !facts_.ensure(run_.store.size())) {
            run_.end(Status::kMemory);
        }
        for (const Onward& start : starts) {
            if (run_.going() && colour(start.target) == kWhite) {
                note_entered(start.target, outer_.begin(start, false));
            }
            while (run_.going() && !outer_.empty()) {
                go_on();
            }
        }
    }

    void note_entered(Index state, std::uint32_t marks) {
        if (!run_.going()) {
            return;
        }
        facts_[state] = static_cast<std::uint8_t>(kCyan | ((marks & kAccept) != 0 ? kAccepting : 0));
        outer_.keep_arcs(false, [this, state](const Onward& arc) { return is_wanted(state, arc.target); });
    }

    // Whether an arc may tell something more when it is its turn.
    bool is_wanted(Index state, Index target) {
        if (!facts_.ensure(target)) {
            run_.end(Status::kMemory);
            return false;
        }
        const Colour known = colour(target);
        const bool closes = known == kCyan && (is_accepting(state) || is_accepting(target));
        if (known == kWhite || closes || (known == kBlue && !weak_)) { // blue ones may be red by then
            return true;
        }
        facts_[state] |= known == kRed ? 0 : kNotAllRed;
        return false;
    }

    void go_on() {
        if (!outer_.has_arc()) {
            return leave();
        }
        const Onward arc = outer_.arc();
        switch (colour(arc.target)) {
        case kWhite:
            if (outer_.depth() <= run_.limits().depth) {
                return note_entered(arc.target, outer_.enter(false)); // the arc is looked at again when that is done
            }
            cut_ = true;
            facts_[outer_.state()] |= kNotAllRed;
            break;
        case kCyan:
            if (is_accepting(outer_.state()) || is_accepting(arc.target)) {
                return report(arc);
            }
            facts_[outer_.state()] |= kNotAllRed;
            break;
        case kBlue:
            facts_[outer_.state()] |= kNotAllRed;
            break;
        default:
            break;
        }
        outer_.pass_arc();
    }

    void leave() {
        const Index state = outer_.state();
        Colour left = kBlue;
        if ((facts_[state] & kNotAllRed) == 0) {
            left = kRed;
        } else if (!weak_ && is_accepting(state)) {
            look_for_way_back({state});
            left = kRed;
        }
        if (run_.going()) {
            paint(state, left);
            outer_.leave();
        }
    }

    void look_for_way_back(const Onward& seed) {
        inner_.begin(seed, true);
        keep_inner();
        while (run_.going() && !inner_.empty()) {
            if (!inner_.has_arc()) {
                inner_.leave();
                continue;
            }
            const Onward arc = inner_.arc();
            if (colour(arc.target) == kCyan) {
                return report(arc);
            }
            if (colour(arc.target) == kBlue) {
                paint(arc.target, kRed);
                inner_.enter(true);
                keep_inner();
            } else {
                inner_.pass_arc();
            }
        }
    }

    void keep_inner() {
        if (run_.going()) {
            inner_.keep_arcs(true, [this](const Onward& arc) { return colour(arc.target) != kRed; });
        }
    }

    // The cycle: the outer search's path from the target of the arc that leads back, the inner one's behind it, and
    // that arc. Before it, the way on which the target was met first, which is mostly shorter than the path.
    void report(const Onward& arc) {
        Path& path = run_.outcome().path;
        path = path_to(run_.store, arc.target);
        const std::size_t start = path.size() - 1;
        std::vector<Onward> around = outer_.arcs_from(outer_.position(arc.target) + 1);
        if (!inner_.empty()) {
            const std::vector<Onward> inside =
                inner_.arcs_from(1); // its first state is the last one of the outer search
            around.insert(around.end(), inside.begin(), inside.end());
        }
        around.push_back(arc);
        Index from = arc.target;
        for (const Onward& next : around) {
            path.append(action_between(from, next.target), run_.store.state(next.target));
            from = next.target;
        }
        run_.end_at_cycle(start);
    }

    // Paths do without actions, since they are long and a cycle is told once.
    std::uint32_t action_between(Index from, Index to) {
        run_.buffer.clear();
        run_.successors(run_.store.state(from));
        for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            const Word* target = run_.buffer.state(i);
            if ((arc.marks & kError) == 0 && run_.store.find(target, run_.store.hash(target)) == to) {
                return arc.action;
            }
        }
        assert(false);
        return 0;
    }

    // There is room for the facts of all that is stored, since arcs are asked about when their targets are stored.
    Colour colour(Index state) const { return static_cast<Colour>(facts_[state] & kColours); }
    bool is_accepting(Index state) const { return (facts_[state] & kAccepting) != 0; }
    void paint(Index state, Colour colour) {
        facts_[state] = static_cast<std::uint8_t>((facts_[state] & ~kColours) | colour);
    }

    Run<S, T>& run_;
    bool weak_;
    bool cut_ = false;
    Descent<S, T, PathStack<Onward>> outer_;
    Descent<S, T, PathStack<Onward>> inner_;
    Column<std::uint8_t> facts_;
};

} // namespace beeline
