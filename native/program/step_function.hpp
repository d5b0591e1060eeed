// The steps of a program as a pure function: packed words in, packed words out, and flags for what is left to the
// machine.
//
// It keeps nothing between two calls, calls nothing back and allocates nothing: any number of threads can use one, and
// what it reads are flat tables. Engines that expand states elsewhere (on other devices, from disk, on other machines)
// expand through it, and ask a ProgramSpace, which knows all steps, for what is left.
//
// What is not left: processes that move alone, with a guard of comparisons and an effect of assignments (see Plan).
// That is decided for each process of each state, by the edges whose gates are open.
#pragma once

#include "space/space.hpp"
#include "vm/program.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

class StepFunction {
public:
    // Where arcs and the words of their targets are written, from `size` on.
    struct Output {
        Word* states;
        SuccessorBuffer::Arc* arcs;
        std::size_t capacity; // arcs
        std::size_t size = 0;
    };
    enum class Result : std::uint8_t {
        kDone,          // the arcs that processes begin who are not left are written, in the order of ProgramSpace
        kLeftToMachine, // nothing is written: this state is one for a ProgramSpace
        kFull           // nothing is written: there is no room for so many arcs
    };
    struct Expansion {
        Result result;
        std::uint32_t marks = kNone; // of the state, if nothing is left: kDeadlock or nothing
        std::uint64_t left = 0;      // by process number: the machine must find its steps
    };

    // The program must outlive the function. It is one for this layout of states.
    explicit StepFunction(const Program& program);

    // Whether some state of the program may not be left to the machine.
    bool is_useful() const { return is_useful_; }

    // The arcs of a state. `goal`: the state is one that is sought; then so is every target that no step takes out of
    // the goal, and steps that could are left to the machine.
    Expansion operator()(const Word* state, bool goal, Output& out) const noexcept;

private:
    // Where a cell's value comes from: the words of a state, or a constant.
    struct Source {
        std::uint32_t word, shift, mask;
        std::int32_t low; // is added; with an empty mask, the value
        std::int32_t value(const Word* state) const {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + (state[word] >> shift & mask));
        }
    };

    bool is_known(std::int32_t cell) const;
    Source source_of(std::int32_t cell) const;
    bool is_pure(std::size_t edge) const;
    bool holds(const Test& test, const Word* state) const noexcept;
    bool guard_holds(const EdgePlan& plan, const Word* state) const noexcept;
    enum class Written : std::uint8_t { kFine, kFailed, kLeft };
    Written write(const EdgePlan& plan, std::int32_t mover, const Word* state, Word* target,
                  Error& error) const noexcept;
    bool put(std::int32_t cell, std::int32_t value, Word* target) const noexcept;
    Result steps_of(const LocationPlan& here, std::int32_t pid, const Word* state, std::uint32_t marks,
                    Output& out) const noexcept;

    const Program& program_;
    const Plan& plan_;
    std::vector<Source> sources_;    // by cell, as far as values are known
    std::vector<std::uint8_t> pure_; // by edge
    bool is_useful_ = false;
};

} // namespace beeline
