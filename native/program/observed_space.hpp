// A compiled network and an automaton that reads which propositions hold along its runs.
//
// A state is one of the network, with one word more: the place of the automaton, and the valuation that it has read
// last. That is the state's own one, except in the middle of an uninterrupted run, at which no automaton looks. The
// network should have a monitor that always can move, so that runs which come to rest go on in their last state.
#pragma once

#include "program/program_space.hpp"
#include "space/observer_automaton.hpp"

#include <exception>
#include <memory>
#include <vector>

namespace beeline {

// Thrown where a proposition has no value, because of an index out of range for instance.
struct NoValue : std::exception {
    const char* what() const noexcept override { return "a proposition has no value in some state"; }
};

// Which of some propositions hold in a state, as bits.
class Propositions {
public:
    // Blocks of a program with the network's layout, each of which returns a value.
    Propositions(std::shared_ptr<const Program> values, std::vector<std::int32_t> blocks);

    Word valuation(const Word* state);
    std::size_t size() const { return blocks_.size(); }
    const Program& program() const { return *values_; }

private:
    std::shared_ptr<const Program> values_;
    std::vector<std::int32_t> blocks_;
    Machine machine_;
    std::vector<Word> unpacked_; // the state whose values the machine's cells have,
    bool knows_cells_ = false;   // if there is one
};

class ObservedSpace {
public:
    ObservedSpace(ProgramSpace& inner, Propositions propositions, ObserverAutomaton automaton);

    std::size_t words() const { return inner_.words() + 1; }
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);

    // See GeneralisedSpace.
    std::size_t acceptance_sets() const { return automaton_.sets(); }
    // See TestedSpace.
    bool stutters(const Word* from, const Word* to) const { return valuation_of(from) == valuation_of(to); }
    bool is_livelock(const Word* state) const { return automaton_.is_livelock(place_of(state)); }

private:
    Word place_of(const Word* state) const { return state[inner_.words()] / static_cast<Word>(automaton_.letters()); }
    Word valuation_of(const Word* state) const {
        return state[inner_.words()] % static_cast<Word>(automaton_.letters());
    }
    void add_arc(std::size_t arc, const ObserverAutomaton::Move& move, Word valuation, SuccessorBuffer& out);

    ProgramSpace& inner_;
    Propositions propositions_;
    ObserverAutomaton automaton_;
    SuccessorBuffer arcs_;
};

} // namespace beeline
