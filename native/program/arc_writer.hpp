// Writes the arcs of an expansion: a target is the words of the state in which a step begins, with the cells patched
// that the machine has logged since.
#pragma once

#include "program/merged_runs.hpp"
#include "space/space.hpp"
#include "vm/machine.hpp"

#include <exception>

namespace beeline {

// Thrown when a step starts more processes than the program has cells for; compile it with more room and begin again.
struct TooManyProcesses : std::exception {
    const char* what() const noexcept override { return "more processes were started than there is room for"; }
};

class ArcWriter {
public:
    // The state in which a step begins: the expanded one, or one in the middle of a run from there.
    struct Base {
        const Word* words;
        std::uint64_t sum; // see state/hash.hpp
        std::size_t mark;  // the log's size
        bool controlled;   // by a process that goes on alone
    };

    ArcWriter(Machine& machine, MergedRuns& runs) : machine_(machine), runs_(runs) { use_layout(); }

    void use_layout() { program_ = machine_.program; }
    // The arcs of a state, with the sum of its hash, are written to `out` from now on.
    void begin(const Word* words, std::uint64_t sum, SuccessorBuffer& out) {
        base = {words, sum, 0, false};
        out_ = &out;
        first_ = out.size();
        arrived = 0;
        left = false;
    }
    SuccessorBuffer& out() const { return *out_; }

    // The step that the machine has taken from the base, with the action that began it. `second` is the detail of an
    // arc (see SuccessorBuffer::Arc).
    void arrive(std::uint32_t action, std::uint32_t second);
    // A step that ended in the machine's error, or one that is left out after all.
    void arrive_failed(std::uint32_t action);
    // The same without counting an arrival, told under the action that is given.
    void write(std::uint32_t action, std::uint32_t marks, std::uint32_t second);
    void write_failed(std::uint32_t action);
    // Whether every step leads back to the expanded state.
    bool all_lead_back() const;
    // Writes the target of the step and returns its hash sum.
    std::uint64_t patch(Word* target) const;

    Base base{};
    std::size_t arrived = 0;  // ways to arcs of its own and of others
    bool left = false;        // whether a step led to a state that is not looked at
    bool origin_goal = false; // whether the expanded state is one that is sought

private:
    bool goal_reached();

    Machine& machine_;
    MergedRuns& runs_;
    const Program* program_ = nullptr;
    SuccessorBuffer* out_ = nullptr;
    std::size_t first_ = 0;
};

} // namespace beeline
