// Reads the bytecode of an effect as a list of assignments, where it is no more than that.
#pragma once

#include "vm/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace beeline {

// Stretches of cells.
struct CellRange {
    std::int32_t first, count;
};
using CellRanges = std::vector<CellRange>;

// Whether an instruction looks at parts of the state that its operands do not name.
bool looks_around(Op op);

class EffectReader {
public:
    // New assignments and blocks are added to `plan`.
    EffectReader(const Program& program, Plan& plan);

    // The plan of a block that runs after the `written` cells have changed; adds those it writes itself.
    EffectPlan read(std::int32_t block, CellRanges& written);

private:
    enum class Reading : std::uint8_t { Fine, Done, Refused };

    Reading next();
    bool store(const Instruction& ins);
    std::optional<Assignment> sum_before(std::int32_t stored) const;
    bool is_used_after(std::int32_t cell, std::int32_t position) const;
    bool reads_are_old(const Instruction& ins);
    bool is_old(CellRange read);
    bool set_bounds(Assignment& assignment, std::int32_t domain) const;
    std::int32_t compute_block(std::int32_t end);

    const Program& p_;
    Plan& plan_;
    CellRanges* written_ = nullptr;
    std::int32_t start_ = 0;    // of the instructions that no assignment covers yet
    std::int32_t position_ = 0; // of the instruction being read
    std::int32_t furthest_ = 0; // the last position that a jump leads to
    bool reads_ = false;
};

} // namespace beeline
