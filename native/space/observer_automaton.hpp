// An automaton that reads which propositions hold along a run, as one table for all kinds of it: those that read a
// valuation when a state is left (Büchi automata with letters on edges), when one is entered (with a valuation for each
// state), and those that read how it changes (testing automata; Geldenhuys and Hansen, Larger automata and less work
// for LTL model checking, SPIN 2006).
#pragma once

#include "state/successors.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace beeline {

// What is read of a step: the valuation before it, the one after it, or the propositions that change.
enum class Reads : std::uint8_t { kBefore, kAfter, kChange };

class ObserverAutomaton {
public:
    struct Move {
        Word target;
        std::uint32_t sets; // of acceptance, as bits
    };
    // A move of `state` on `letter`; one of no state is where a run begins whose first valuation the letter is.
    struct Row {
        std::int32_t state;
        Word letter;
        Move move;
    };
    static constexpr std::int32_t kNoState = -1;
    static constexpr std::size_t kMostPropositions = 12;

    // Rows may stand in any order; moves of a state on a letter are kept in theirs. With `sets` acceptance sets, they
    // decide, and not the states that are accepting.
    ObserverAutomaton(Reads reads, std::size_t propositions, const std::vector<Row>& rows,
                      std::vector<std::uint8_t> accepting, std::vector<std::uint8_t> livelock, std::size_t sets = 0)
        : reads_(reads), propositions_(propositions), sets_(sets), accepting_(std::move(accepting)),
          livelock_(std::move(livelock)) {
        if (propositions > kMostPropositions || livelock_.size() != accepting_.size() || sets > kMostSets) {
            throw std::invalid_argument("an automaton is malformed");
        }
        first_.assign((states() + 1) * letters() + 1, 0);
        for (const Row& row : rows) {
            check(row);
            ++first_[position(row) + 1];
        }
        for (std::size_t i = 1; i < first_.size(); ++i) {
            first_[i] += first_[i - 1];
        }
        moves_.resize(rows.size());
        std::vector<std::size_t> next(first_);
        for (const Row& row : rows) {
            moves_[next[position(row)]++] = row.move;
        }
    }

    Reads reads() const { return reads_; }
    std::size_t states() const { return accepting_.size(); }
    std::size_t sets() const { return sets_; }
    std::size_t letters() const { return std::size_t{1} << propositions_; }
    bool is_accepting(Word state) const { return accepting_[state] != 0; }
    // Whether a run that stays here for ever, with no change, is accepted.
    bool is_livelock(Word state) const { return livelock_[state] != 0; }

    std::span<const Move> starts(Word valuation) const { return moves(states(), valuation); }
    std::span<const Move> moves(std::size_t state, Word letter) const {
        const std::size_t at = state * letters() + letter;
        return {moves_.data() + first_[at], first_[at + 1] - first_[at]};
    }

private:
    void check(const Row& row) const {
        const bool known = row.state >= kNoState && row.state < static_cast<std::int64_t>(states());
        if (!known || row.letter >= letters() || row.move.target >= states() || row.move.sets >> sets_ != 0) {
            throw std::invalid_argument("an automaton is malformed");
        }
    }
    std::size_t position(const Row& row) const {
        return (row.state == kNoState ? states() : static_cast<std::size_t>(row.state)) * letters() + row.letter;
    }

    Reads reads_;
    std::size_t propositions_;
    std::size_t sets_;
    std::vector<std::uint8_t> accepting_, livelock_; // by state
    std::vector<std::size_t> first_;                 // of the moves by state and letter; starts behind the last state
    std::vector<Move> moves_;
};

} // namespace beeline
