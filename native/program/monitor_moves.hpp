// A monitor (a never claim, the automaton of a formula) that moves along with the network: its moves look at the state
// in which a step begins, and are added to the network's arcs when all of these are there.
#pragma once

#include "program/arc_writer.hpp"
#include "program/remembered_steps.hpp"

#include <vector>

namespace beeline {

class MonitorMoves {
public:
    MonitorMoves(Machine& machine, ArcWriter& arcs, LoadedState& loaded, RememberedSteps& remembered)
        : machine_(machine), arcs_(arcs), loaded_(loaded), remembered_(remembered) {
        use_layout();
    }

    void use_layout() { program_ = machine_.program; }

    // The place of the monitor in the loaded state.
    std::int32_t here() const { return loaded_.value(program_->monitor_cell); }
    // Finds its moves; says whether there are any. Those that end the run, complete or in an error, become arcs at
    // once: what the monitor watches for is complete before the network moves.
    bool find(bool timeout);
    // The network has no move: arcs in which the monitor alone moves.
    void move_alone();
    // The network's arcs that begin at `first` become one arc for each move.
    void move_along(std::size_t first);

private:
    void write_moves();

    Machine& machine_;
    ArcWriter& arcs_;
    LoadedState& loaded_;
    RememberedSteps& remembered_;
    const Program* program_ = nullptr;
    struct Move {
        std::int32_t target;
        std::uint32_t sets; // of acceptance, as marks
    };
    std::vector<Move> moves_; // those that it can make
};

} // namespace beeline
