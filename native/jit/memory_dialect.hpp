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
    // Changes are logged through the pointer `l` while a block runs, which has room for one more of each store.
    std::string enter(std::size_t stores) const override;
    std::string exit(std::size_t stores) const override;
    std::string go_back(std::size_t stores) const override;
    std::string fail(std::int32_t kind, const Exit& exit) const override;
    bool covers(const Instruction& ins) const override;
    std::string special(const Instruction& ins, const Exit& exit) const override;
    std::string leave_to_engine(std::int32_t block) const override;

private:
    bool all_hold(std::int32_t first, std::int32_t extent, const Domain& domain) const;

    const Program& program_;
    CellNames names_;
};

} // namespace beeline
