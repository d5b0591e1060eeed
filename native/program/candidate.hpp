// Edges that can be taken together, as one step.
#pragma once

#include "state/stack.hpp"
#include "vm/program.hpp"

#include <cstddef>
#include <cstdint>

namespace beeline {

struct Part {
    std::int32_t pid;
    std::int32_t edge;
};

// Its parts and its message lie on stacks of the StepFinder that found it, and only as long as it is visited.
struct Candidate {
    std::size_t first_part, parts;
    std::size_t message;
    const ChannelPlace* channel; // null without one
    std::int32_t position;       // of the message to receive, or where one to send is put
    bool failed;                 // deciding it ended in the machine's error
};

// Called for each candidate; returns false to end the enumeration.
using Visit = FunctionRef<bool(const Candidate&)>;

} // namespace beeline
