// Runs that go round, in the model's own steps, so that the first one found breadth-first is the shortest of all: a way
// to a state, and a cycle from there that comes back to that very state of the model.
//
// A cycle of the product with an automaton can be longer than that of the model, because the automaton may need several
// rounds before it is back where it was. So what the automaton can do along the cycle is kept as a relation: from which
// of its places to which, and whether through an accepting one. Where the model is back in the state in which the cycle
// began, the relation tells whether going on like this for ever is accepted.
#pragma once

#include "space/space.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace beeline {

// Has states of a model and of an automaton beside it, which is in one of `places()` places. Steps that are
// `nobody()`'s are those of the automaton alone, where the model has come to rest.
template <class S>
concept WatchedSpace = Space<S> && requires(const S& space, const Word* state, Word* other, Word place) {
    { space.places() } -> std::convertible_to<std::size_t>;
    { space.place(state) } -> std::same_as<Word>;
    space.put_place(other, place);
    { space.nobody() } -> std::same_as<std::uint32_t>;
};

// Between up to eight places; each pair with or without acceptance on the way.
class PlaceRelation {
public:
    static constexpr std::size_t kMost = 8;
    static constexpr std::size_t kWords = 4;

    PlaceRelation() = default;
    explicit PlaceRelation(const Word* words)
        : reached_(words[0] | std::uint64_t{words[1]} << 32), accepted_(words[2] | std::uint64_t{words[3]} << 32) {}
    void write(Word* words) const {
        words[0] = static_cast<Word>(reached_);
        words[1] = static_cast<Word>(reached_ >> 32);
        words[2] = static_cast<Word>(accepted_);
        words[3] = static_cast<Word>(accepted_ >> 32);
    }

    void add(std::size_t from, std::size_t to, bool accepted) {
        reached_ |= bit(from, to);
        accepted_ |= accepted ? bit(from, to) : 0;
    }
    bool any_from(std::size_t from) const { return (reached_ >> kMost * from & 0xff) != 0; }

    // First this one, then the other.
    PlaceRelation then(const PlaceRelation& other) const {
        PlaceRelation both;
        for (std::size_t from = 0; from < kMost; ++from) {
            for (std::size_t middle = 0; middle < kMost; ++middle) {
                if ((reached_ & bit(from, middle)) != 0) {
                    const std::uint64_t ends = other.row(other.reached_, middle);
                    both.reached_ |= ends << kMost * from;
                    const bool accepted = (accepted_ & bit(from, middle)) != 0;
                    both.accepted_ |= (accepted ? ends : other.row(other.accepted_, middle)) << kMost * from;
                }
            }
        }
        return both;
    }

    // Whether repeating it for ever from a place can be accepting.
    bool accepts_from(std::size_t place) const {
        PlaceRelation closure = *this;
        for (std::size_t rounds = 1; rounds < 2 * kMost; rounds *= 2) {
            closure = closure.joined(closure.then(closure));
        }
        for (std::size_t on = 0; on < kMost; ++on) {
            if ((on == place || (closure.reached_ & bit(place, on)) != 0) && (closure.accepted_ & bit(on, on)) != 0) {
                return true;
            }
        }
        return false;
    }

private:
    static std::uint64_t bit(std::size_t from, std::size_t to) { return std::uint64_t{1} << (kMost * from + to); }
    static std::uint64_t row(std::uint64_t bits, std::size_t from) { return bits >> kMost * from & 0xff; }
    PlaceRelation joined(const PlaceRelation& other) const {
        PlaceRelation both;
        both.reached_ = reached_ | other.reached_;
        both.accepted_ = accepted_ | other.accepted_;
        return both;
    }

    std::uint64_t reached_ = 0, accepted_ = 0;
};

template <Space S>
    requires WatchedSpace<S>
class LassoSpace {
public:
    enum Phase : Word { kBefore = 0, kAround = 1, kClosed = 2 };

    explicit LassoSpace(S& inner) : inner_(inner), arcs_(inner.words()), steps_(inner.words()), asked_(inner.words()) {
        if (inner_.places() > PlaceRelation::kMost) {
            throw std::invalid_argument("the automaton has too many places for the shortest of all lassos");
        }
    }

    // A state: phase and the place in which the cycle began, the state of the other space, the one in which the cycle
    // began, and the relation. What belongs to the cycle is zero before it, and around it no state has a place.
    std::size_t words() const { return 1 + 2 * inner_.words() + PlaceRelation::kWords; }
    static Phase phase(const Word* state) { return static_cast<Phase>(state[0] % 4); }
    static const Word* current(const Word* state) { return state + 1; }
    S& inner() { return inner_; }

    void initial(SuccessorBuffer& out) {
        arcs_.clear();
        inner_.initial(arcs_);
        add_before(out);
    }

    // Marks a state kDeadlock in which the model has come to rest and which is accepted so.
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        if (phase(state) == kClosed) {
            return kNone;
        }
        const PlaceRelation step = look(current(state));
        if (phase(state) == kAround) {
            const PlaceRelation whole = PlaceRelation(seed(state) + inner_.words()).then(step);
            add_around(state[0] / 4, seed(state), whole, out);
            return kNone;
        }
        arcs_.clear();
        const std::uint32_t marks = inner_.expand(current(state), arcs_);
        if (at_rest_) {
            return step.accepts_from(inner_.place(current(state))) ? kDeadlock : kNone;
        }
        add_before(out);
        std::copy_n(current(state), inner_.words(), asked_.begin());
        inner_.put_place(asked_.data(), 0); // the cycle may begin here
        add_around(inner_.place(current(state)), asked_.data(), step, out);
        return marks & ~std::uint32_t{kAccept | kDeadlock};
    }

private:
    const Word* seed(const Word* state) const { return state + 1 + inner_.words(); }

    // What the automaton can do in a state of the model; fills `steps_` with the model's own.
    PlaceRelation look(const Word* state) {
        PlaceRelation found;
        steps_.clear();
        at_rest_ = false;
        std::copy_n(state, inner_.words(), asked_.begin());
        for (Word place = 0; place < inner_.places(); ++place) {
            inner_.put_place(asked_.data(), place);
            arcs_.clear();
            const bool accepting = (inner_.expand(asked_.data(), arcs_) & kAccept) != 0;
            const bool first = steps_.size() == 0;
            for (std::size_t i = 0; i < arcs_.size(); ++i) {
                if ((arcs_.arc(i).marks & (kError | kGoal)) != 0) {
                    continue;
                }
                at_rest_ = at_rest_ || arcs_.arc(i).action == inner_.nobody();
                found.add(place, inner_.place(arcs_.state(i)), accepting);
                if (first) {
                    add_step(i);
                }
            }
        }
        return found;
    }

    // Arcs that differ in what the automaton does are one step of the model.
    void add_step(std::size_t i) {
        if (steps_.size() > 0 && inner_.place(arcs_.state(i)) != place_of_steps_) {
            return;
        }
        place_of_steps_ = inner_.place(arcs_.state(i));
        const SuccessorBuffer::Arc& arc = arcs_.arc(i);
        Word* target = steps_.add(arc.action, kNone, arc.detail);
        std::copy_n(arcs_.state(i), inner_.words(), target);
        inner_.put_place(target, 0);
    }

    void add_before(SuccessorBuffer& out) {
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            const SuccessorBuffer::Arc& arc = arcs_.arc(i);
            Word* target = out.add(arc.action, arc.marks, arc.detail);
            if ((arc.marks & kError) == 0) {
                std::fill_n(target, words(), Word{0});
                std::copy_n(arcs_.state(i), inner_.words(), target + 1);
            }
        }
    }

    void add_around(Word place, const Word* seed, const PlaceRelation& whole, SuccessorBuffer& out) {
        if (at_rest_ || !whole.any_from(place)) {
            return;
        }
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const bool closed = std::equal(seed, seed + inner_.words(), steps_.state(i)) && whole.accepts_from(place);
            Word* target = out.add(steps_.arc(i).action, closed ? kGoal : kNone, steps_.arc(i).detail);
            target[0] = 4 * place + (closed ? kClosed : kAround);
            std::copy_n(steps_.state(i), inner_.words(), target + 1);
            std::copy_n(seed, inner_.words(), target + 1 + inner_.words());
            whole.write(target + 1 + 2 * inner_.words());
        }
    }

    S& inner_;
    SuccessorBuffer arcs_, steps_;
    std::vector<Word> asked_;
    Word place_of_steps_ = 0;
    bool at_rest_ = false; // the model, in the state looked at last
};

} // namespace beeline
