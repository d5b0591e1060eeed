// Bytecode as C statements.
#pragma once

#include "jit/dialect.hpp"
#include "jit/text.hpp"

#include <set>
#include <string>

namespace beeline {

class BlockWriter {
public:
    // The dialect must outlive the writer.
    BlockWriter(const Program& program, const Dialect& dialect) : program_(program), dialect_(dialect) {}

    // Statements that do what a block does and go on behind the label `end`, which they define: `r` is then its result
    // and `value` what it returned. Blocks with instructions that the dialect does not cover are left to the engine.
    std::string write(std::int32_t block, const std::string& end);

private:
    bool collect(std::int32_t block);
    std::string label(std::int32_t position) const;
    std::string fail(Error kind) const { return dialect_.fail(static_cast<std::int32_t>(kind), exit_); }
    std::string statement(const Instruction& ins) const;
    std::string arithmetic(const Instruction& ins) const;
    std::string store(const Instruction& ins) const;

    const Program& program_;
    const Dialect& dialect_;
    // The block being written.
    std::int32_t block_ = 0;
    Exit exit_;
    std::set<std::int32_t> reached_, targets_;
    std::size_t stores_ = 0;
};

// What it takes to store a value under a domain, as the condition that it fails; `value` is a variable.
std::string misfit(const Domain& domain, const std::string& value);
// A comparison, as a condition.
std::string condition_of(const Test& test, const Dialect& dialect);

} // namespace beeline
