// Accepting cycles as a question of reachability, so that every search can look for them: a state of this space is a
// state of another one, and perhaps an accepting one before it, the seed, to which the way must lead back (Edelkamp and
// Jabbar, Large-scale directed model checking LTL, SPIN 2006).
//
// As long as no seed was chosen, steps are those of the other space. At an accepting state it can be chosen; the step
// that leads back to it is a goal. The shortest way to a goal is the shortest way to an accepting state and back to it.
// With `any_seed` every state can be chosen, and the way back must come through an accepting one: then it is the
// shortest of all lassos, at the price of more pairs.
#pragma once

#include "space/space.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beeline {

// How far the first word of a pair says that the way has come: no seed yet, a seed but no accepting state since, both,
// or back at the seed.
enum PairPhase : Word { kPairBefore = 0, kPairAround = 1, kPairAccepted = 2, kPairClosed = 3 };

template <Space S>
class PairSpace {
public:
    // With a state `only`, that one alone can be chosen, so that there are at most two pairs for each state.
    PairSpace(S& inner, bool any_seed, std::vector<Word> only = {})
        : inner_(inner), arcs_(inner.words()), any_seed_(any_seed), only_(std::move(only)) {
        if (!only_.empty() && only_.size() != inner_.words()) {
            throw std::invalid_argument("the seed is no state of the space");
        }
    }

    // A state: the phase, the state of the other space, and the seed (zeros as long as there is none).
    std::size_t words() const { return 1 + 2 * inner_.words(); }
    static PairPhase phase(const Word* state) { return static_cast<PairPhase>(state[0]); }
    static const Word* current(const Word* state) { return state + 1; }
    const Word* seed(const Word* state) const { return state + 1 + inner_.words(); }

    void initial(SuccessorBuffer& out) {
        arcs_.clear();
        inner_.initial(arcs_);
        add_arcs(kPairBefore, nullptr, out);
    }

    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        arcs_.clear();
        if (phase(state) == kPairClosed) {
            return kNone;
        }
        const std::uint32_t marks = inner_.expand(current(state), arcs_);
        leave_out(current(state));
        const bool accepting = (marks & kAccept) != 0;
        if (phase(state) != kPairBefore) {
            add_arcs(accepting ? kPairAccepted : phase(state), seed(state), out);
            return kNone;
        }
        add_arcs(kPairBefore, nullptr, out);
        if ((accepting || any_seed_) && may_be_seed(current(state))) {
            add_arcs(accepting ? kPairAccepted : kPairAround, current(state), out);
        }
        return marks & ~std::uint32_t{kAccept};
    }

    S& inner() { return inner_; }

private:
    // A reduction of the other space; which of its states are done is not known, so that all are said to be.
    void leave_out(const Word* state) {
        if constexpr (ReducingSpace<S>) {
            if (inner_.reduces()) {
                inner_.reduce(state, arcs_, 0, [](std::size_t, bool) { return true; });
            }
        }
    }

    bool may_be_seed(const Word* state) const { return only_.empty() || std::equal(only_.begin(), only_.end(), state); }

    // The arcs of the other space's state. Around the seed, only those with a target matter, and none that is back at
    // it without having come through an accepting state.
    void add_arcs(PairPhase phase, const Word* seed, SuccessorBuffer& out) {
        const std::size_t words = inner_.words();
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            const SuccessorBuffer::Arc& arc = arcs_.arc(i);
            const bool has_target = (arc.marks & kError) == 0;
            const bool is_seed = seed != nullptr && has_target && std::equal(seed, seed + words, arcs_.state(i));
            if (seed != nullptr && (!has_target || (is_seed && phase == kPairAround))) {
                continue;
            }
            Word* target = out.add(arc.action, seed == nullptr ? arc.marks : is_seed ? kGoal : kNone, arc.detail);
            if (!has_target) {
                continue;
            }
            target[0] = is_seed ? kPairClosed : phase;
            std::copy_n(arcs_.state(i), words, target + 1);
            if (seed != nullptr) {
                std::copy_n(seed, words, target + 1 + words);
            } else {
                std::fill_n(target + 1 + words, words, Word{0});
            }
        }
    }

    S& inner_;
    SuccessorBuffer arcs_;
    bool any_seed_;
    std::vector<Word> only_;
};

} // namespace beeline
