// Parity games on explicit graphs, solved by Zielonka's algorithm (Infinite games on finitely coloured graphs with
// applications to automata on infinite trees, TCS 200, 1998).
//
// A play follows edges for ever; it is won by the one who has the parity of the highest rank that it meets again and
// again: even, the player of disjunctions, or odd, the player of conjunctions. Every position has an edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class ParityGame {
public:
    using Position = std::uint32_t;

    // Adds a position; its edges follow, to positions that may come later.
    void add(bool is_disjunction, std::uint32_t rank);
    void add_edge(Position target);

    void solve();
    bool is_even(Position position) const { return winner_[position] == 0; }
    // Where the winner goes from a position of the winner's own.
    Position choice(Position position) const { return choice_[position]; }

private:
    using Positions = std::vector<Position>;

    void find_predecessors();
    void solve(Positions positions, std::uint32_t level);
    bool is_in(Position position, std::uint32_t level) const { return level_[position] >= level; }
    std::uint32_t highest_rank(const Positions& positions) const;
    // Everything from which a player can force a play into `aim`, within a level; these positions leave the level.
    Positions attract(std::uint8_t player, Positions aim, std::uint32_t level);
    bool is_forced(Position position, std::uint32_t level) const;
    void choose_any(Position position, std::uint32_t level);

    std::vector<std::uint8_t> owner_; // 0: even
    std::vector<std::uint32_t> rank_;
    std::vector<std::size_t> first_; // edges, by position
    Positions targets_;
    std::vector<std::size_t> first_before_;
    Positions before_;
    std::vector<std::uint32_t> level_; // of the innermost game that a position belongs to
    std::vector<std::uint8_t> winner_;
    Positions choice_;
};

} // namespace beeline
