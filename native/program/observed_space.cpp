#include "program/observed_space.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace beeline {

Propositions::Propositions(std::shared_ptr<const Program> values, std::vector<std::int32_t> blocks)
    : values_(std::move(values)), blocks_(std::move(blocks)), machine_(*values_), unpacked_(values_->words) {
    for (const std::int32_t block : blocks_) {
        if (block < 0 || static_cast<std::size_t>(block) >= values_->code.size()) {
            throw std::invalid_argument("a proposition has no such block");
        }
    }
}

Word Propositions::valuation(const Word* state) {
    if (knows_cells_) {
        values_->unpack_changed(state, unpacked_.data(), machine_.cells.data());
    } else {
        values_->unpack(state, machine_.cells.data());
        std::copy_n(state, values_->words, unpacked_.data());
        knows_cells_ = true;
    }
    Word found = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (machine_.run(blocks_[i]) == Machine::kFailed) {
            throw NoValue();
        }
        found |= static_cast<Word>(machine_.value != 0) << i;
    }
    return found;
}

ObservedSpace::ObservedSpace(ProgramSpace& inner, Propositions propositions, ObserverAutomaton automaton)
    : inner_(inner), propositions_(std::move(propositions)), automaton_(std::move(automaton)), arcs_(inner.words()) {
    if (propositions_.program().words != inner_.words() || automaton_.letters() != std::size_t{1}
                                                                                       << propositions_.size()) {
        throw std::invalid_argument("the automaton is not about this space");
    }
}

void ObservedSpace::initial(SuccessorBuffer& out) {
    arcs_.clear();
    inner_.initial(arcs_);
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
        const Word valuation = propositions_.valuation(arcs_.state(i));
        for (const ObserverAutomaton::Move& move : automaton_.starts(valuation)) {
            add_arc(i, move, valuation, out);
        }
    }
}

std::uint32_t ObservedSpace::expand(const Word* state, SuccessorBuffer& out) {
    const Word place = place_of(state), before = valuation_of(state);
    arcs_.clear();
    const std::uint32_t marks = inner_.expand(state, arcs_);
    const ObserverAutomaton::Move stay{place, 0};
    const std::span<const ObserverAutomaton::Move> still(&stay, 1);
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
        const SuccessorBuffer::Arc& arc = arcs_.arc(i);
        if ((arc.marks & kError) != 0) {
            out.add(arc.action, arc.marks, arc.detail);
            continue;
        }
        const bool arrives = !inner_.is_controlled(arcs_.state(i));
        const Word after = arrives ? propositions_.valuation(arcs_.state(i)) : before;
        std::span<const ObserverAutomaton::Move> moves = still;
        if (automaton_.reads() == Reads::kBefore && (marks & kTransient) == 0) {
            moves = automaton_.moves(place, before);
        } else if (automaton_.reads() != Reads::kBefore && arrives) {
            moves = automaton_.moves(place, automaton_.reads() == Reads::kAfter ? after : before ^ after);
        }
        for (const ObserverAutomaton::Move& move : moves) {
            add_arc(i, move, after, out);
        }
    }
    return marks | (automaton_.is_accepting(place) ? kAccept : kNone);
}

void ObservedSpace::add_arc(std::size_t arc, const ObserverAutomaton::Move& move, Word valuation,
                            SuccessorBuffer& out) {
    const SuccessorBuffer::Arc& one = arcs_.arc(arc);
    Word* target = out.add(one.action, one.marks | move.sets << kFirstSet, one.detail);
    std::copy_n(arcs_.state(arc), inner_.words(), target);
    target[inner_.words()] = move.target * static_cast<Word>(automaton_.letters()) + valuation;
}

} // namespace beeline
