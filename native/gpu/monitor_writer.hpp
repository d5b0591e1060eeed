// The automaton that watches a run, in a device's code: what it can do in a state, and where that leads.
#pragma once

#include "gpu/move_writer.hpp"

#include <string>

namespace beeline {

class MonitorWriter {
public:
    // What a state's moves are told by.
    static constexpr std::int32_t kMostMoves = 64;

    MonitorWriter(const Program& program, MoveWriter& moves) : program_(program), moves_(moves) {}

    // `watch(t, timeout, moves, ends, failed)`: which moves are possible in a state, as bits in the order of the edges
    // of its place, of those that end the run in bits of their own, and how many fail; LEFT if the engine must tell.
    // `move_monitor(t, number, rests)`: makes one, in place; the network moves as well, or has come to rest.
    // `is_watched_to_the_end(t)`, `is_accepting(t)`
    std::string write();

private:
    std::string moves_of(const MonitorRow& row);
    std::string tables() const;
    std::string accepting() const;
    std::string is_at(std::int32_t MonitorRow::* mark) const;

    const Program& program_;
    MoveWriter& moves_;
};

} // namespace beeline
