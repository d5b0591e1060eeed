// Bytecode as C functions, one for each block that changes scratch cells only.
#pragma once

#include "tier/cells.hpp"

#include <set>
#include <string>
#include <vector>

namespace beeline {

class BlockWriter {
public:
    explicit BlockWriter(const Program& program) : program_(program), names_(program) {}

    // Writes the function of a block, unless that was done; false if the virtual machine has to run it.
    bool write(std::int32_t block);

    const std::string& text() const { return text_; }
    const std::vector<std::int32_t>& written() const { return written_; }

private:
    bool collect(std::int32_t block);
    bool is_covered(const Instruction& ins) const;
    bool knows_channel(std::int32_t cell) const;
    std::string statement(const Instruction& ins) const;
    std::string arithmetic(const Instruction& ins) const;
    std::string on_channel(const Instruction& ins) const;
    std::string store(const Instruction& ins) const;

    const Program& program_;
    CellNames names_;
    std::string text_;
    std::vector<std::int32_t> written_;
    std::set<std::int32_t> refused_;
    std::set<std::int32_t> reached_, targets_; // of the block being written
};

// What it takes to store a value under a domain, as the condition that it fails; `value` is a variable.
std::string misfit(const Domain& domain, const std::string& value);

} // namespace beeline
