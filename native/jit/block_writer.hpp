// Bytecode as C statements.
#pragma once

#include "jit/text.hpp"

#include <set>
#include <string>

namespace beeline {

class BlockWriter {
public:
    explicit BlockWriter(const Program& program) : program_(program), names_(program) {}

    // Statements that do what a block does and go on behind the label `end`, which they define: `r` is then its result
    // and `value` what it returned. Blocks with instructions that are seldom used are left to the virtual machine.
    std::string write(std::int32_t block, const std::string& end);

private:
    bool collect(std::int32_t block);
    bool is_covered(const Instruction& ins) const;
    std::string label(std::int32_t position) const;
    std::string leave(const char* result) const;
    std::string fail(const std::string& kind) const;
    std::string fail(Error kind) const;
    std::string statement(const Instruction& ins) const;
    std::string arithmetic(const Instruction& ins) const;
    std::string on_channel(const Instruction& ins) const;
    std::string store(const Instruction& ins) const;

    const Program& program_;
    CellNames names_;
    // The block being written.
    std::int32_t block_ = 0;
    std::string end_;
    std::set<std::int32_t> reached_, targets_;
};

// What it takes to store a value under a domain, as the condition that it fails; `value` is a variable.
std::string misfit(const Domain& domain, const std::string& value);

} // namespace beeline
