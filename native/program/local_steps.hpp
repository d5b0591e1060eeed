// What one process can do in a state, with all on which that depends: for engines that work with sets of states.
#pragma once

#include "program/arc_writer.hpp"
#include "program/loaded_state.hpp"
#include "program/step_taker.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

struct LocalStep {
    std::uint32_t action, marks, detail; // as of an arc
    bool passes_committed;               // whether it is possible beside a committed location
    std::int64_t priority;               // of all steps of a state, those of the highest priority are possible
    std::vector<std::pair<std::int32_t, std::int32_t>> writes; // cells with their new values; an error has none
};

// Wherever the cells that were read have the same values, the steps are the same: each writes the same values to the
// same cells, whatever was there, and leaves all others as they are.
struct LocalSteps {
    std::vector<std::int32_t> reads;
    std::vector<LocalStep> steps;
};

// The value of an expression, in the same way.
struct LocalValue {
    std::vector<std::int32_t> reads;
    std::int32_t value = 0;
    bool failed = false;
};

// Finds them in the loaded state, which it unpacks. In a program without a goal.
class LocalStepFinder {
public:
    LocalStepFinder(Machine& machine, StepFinder& finder, StepTaker& taker, ArcWriter& arcs, LoadedState& loaded)
        : machine_(machine), finder_(finder), taker_(taker), arcs_(arcs), loaded_(loaded) {}

    // What a process can begin, or the monitor can do, whatever others may forbid: those in control, at committed
    // locations, of higher priority.
    LocalSteps steps_of(std::int32_t pid, bool timeout);
    LocalSteps monitor_moves(bool timeout);
    // Of an expression that is a block of the program.
    LocalValue value_of(std::int32_t block);

private:
    void begin(SuccessorBuffer& out);
    std::vector<std::int32_t> end();
    void follow(const Candidate& candidate, LocalSteps& found);
    void note_writes(const Word* target, LocalStep& step);
    const Program& program() const { return *machine_.program; }

    Machine& machine_;
    StepFinder& finder_;
    StepTaker& taker_;
    ArcWriter& arcs_;
    LoadedState& loaded_;
    Touched touched_;
};

} // namespace beeline
