// Accepting cycles as a question of reachability, so that every search can look for them: a state of this space is a
// state of another one, and perhaps an accepting one before it, the seed, to which the way must lead back (Edelkamp and
// Jabbar, Large-scale directed model checking LTL, SPIN 2006).
//
// As long as no seed was chosen, steps are those of the other space. At an accepting state it can be chosen; the step
// that leads back to it is a goal. The shortest way to a goal is the shortest way to an accepting state and back to it.
#pragma once

#include "space/space.hpp"

#include <algorithm>
#include <cstdint>

namespace beeline {

template <Space S>
class PairSpace {
public:
    enum Phase : Word { kBefore = 0, kAround = 1, kClosed = 2 };

    explicit PairSpace(S& inner) : inner_(inner), arcs_(inner.words()) {}

    // A state: the phase, the state of the other space, and the seed (zeros as long as there is none).
    std::size_t words() const { return 1 + 2 * inner_.words(); }
    static Phase phase(const Word* state) { return static_cast<Phase>(state[0]); }
    static const Word* current(const Word* state) { return state + 1; }
    const Word* seed(const Word* state) const { return state + 1 + inner_.words(); }

    void initial(SuccessorBuffer& out) {
        arcs_.clear();
        inner_.initial(arcs_);
        add_arcs(kBefore, nullptr, out);
    }

    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        arcs_.clear();
        if (phase(state) == kClosed) {
            return kNone;
        }
        const std::uint32_t marks = inner_.expand(current(state), arcs_);
        if (phase(state) == kAround) {
            add_arcs(kAround, seed(state), out);
            return kNone;
        }
        add_arcs(kBefore, nullptr, out);
        if ((marks & kAccept) != 0) {
            add_arcs(kAround, current(state), out);
        }
        return marks & ~std::uint32_t{kAccept};
    }

    S& inner() { return inner_; }

private:
    // The arcs of the other space's state; from the seed on, only those with a target matter.
    void add_arcs(Phase phase, const Word* seed, SuccessorBuffer& out) {
        const std::size_t words = inner_.words();
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            const SuccessorBuffer::Arc& arc = arcs_.arc(i);
            const bool has_target = (arc.marks & kError) == 0;
            if (phase == kAround && !has_target) {
                continue;
            }
            const bool closes = phase == kAround && std::equal(seed, seed + words, arcs_.state(i));
            const std::uint32_t marks = phase == kBefore ? arc.marks : closes ? kGoal : kNone;
            Word* target = out.add(arc.action, marks, arc.detail);
            if (!has_target) {
                continue;
            }
            target[0] = closes ? kClosed : phase;
            std::copy_n(arcs_.state(i), words, target + 1);
            if (phase == kAround) {
                std::copy_n(seed, words, target + 1 + words);
            } else {
                std::fill_n(target + 1 + words, words, Word{0});
            }
        }
    }

    S& inner_;
    SuccessorBuffer arcs_;
};

} // namespace beeline
