// Code that works in the machine's memory: what the native tier is written in.
#pragma once

#include "jit/dialect.hpp"
#include "jit/text.hpp"

namespace beeline {

class MemoryDialect : public Dialect {
public:
    explicit MemoryDialect(const Program& program) : program_(program), names_(program) {}

    std::string value(std::int32_t cell) const override { return names_.value(cell); }
    std::string scratch(std::int32_t cell) const override { return cell_at(cell); }
    std::string element(std::int32_t first, std::int32_t extent, const std::string& index) const override;
    std::string store(std::int32_t first, std::int32_t extent, const std::string& index, const Domain& domain,
                      const Exit& exit) const override;
    std::string fail(std::int32_t kind, const Exit& exit) const override;
    bool covers(const Instruction& ins) const override;
    std::string special(const Instruction& ins, const Exit& exit) const override;
    std::string leave_to_engine(std::int32_t block) const override;

private:
    const Program& program_;
    CellNames names_;
};

} // namespace beeline
