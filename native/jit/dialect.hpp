// How generated code reads and changes cells: one code writer serves the native tier, whose code works in the machine's
// memory, and devices, whose code works in the packed words of a state.
#pragma once

#include "vm/program.hpp"

#include <cstdint>
#include <string>

namespace beeline {

// Where the code of a block goes when it is done: `r` has its result then.
struct Exit {
    std::string label;
    std::string leave(const char* result) const;
};

class Dialect {
public:
    virtual ~Dialect() = default;

    // A cell's value, as an operand.
    virtual std::string value(std::int32_t cell) const = 0;
    // A cell of scratch memory, to be assigned to.
    virtual std::string scratch(std::int32_t cell) const = 0;
    // One of a range of cells, by an index that was checked.
    virtual std::string element(std::int32_t first, std::int32_t extent, const std::string& index) const = 0;
    // Statements that store the variable `v`, a value of the domain, into a cell, or with an index into one of a range.
    virtual std::string store(std::int32_t first, std::int32_t extent, const std::string& index, const Domain& domain,
                              const Exit& exit) const = 0;
    // What stands before and behind the statements of a block, and before it goes back to an earlier one, where it has
    // so many instructions that store something.
    virtual std::string enter(std::size_t) const { return ""; }
    virtual std::string exit(std::size_t) const { return ""; }
    virtual std::string go_back(std::size_t) const { return ""; }
    // Leaves a block for an error of some kind.
    virtual std::string fail(std::int32_t kind, const Exit& exit) const = 0;
    // Instructions on channels, sets and processes: whether there is code for one, and the code.
    virtual bool covers(const Instruction& ins) const = 0;
    virtual std::string special(const Instruction& ins, const Exit& exit) const = 0;
    // In the place of a block that is not covered.
    virtual std::string leave_to_engine(std::int32_t block) const = 0;
};

} // namespace beeline
