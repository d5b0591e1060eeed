// Code that works in the packed words of a state `t`: what devices run. Places of cells are written into the code as
// numbers, so that words can stay in registers; scratch memory becomes local variables.
#pragma once

#include "jit/dialect.hpp"
#include "jit/text.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace beeline {

class PackedDialect : public Dialect {
public:
    explicit PackedDialect(const Program& program) : program_(program), names_(program) {}

    std::string value(std::int32_t cell) const override;
    std::string scratch(std::int32_t cell) const override;
    std::string element(std::int32_t first, std::int32_t extent, const std::string& index) const override;
    std::string store(std::int32_t first, std::int32_t extent, const std::string& index, const Domain& domain,
                      const Exit& exit) const override;
    std::string fail(std::int32_t kind, const Exit& exit) const override;
    bool covers(const Instruction& ins) const override;
    std::string special(const Instruction& ins, const Exit& exit) const override;
    std::string leave_to_engine(std::int32_t block) const override;

    using Cells = std::vector<std::int32_t>;
    // One of some cells of the state, by an index below their number.
    std::string one_of(const Cells& cells, const std::string& index) const;
    // Statements that put a value into a cell, or into one of several. Where the layout has no bits for it, that is
    // noted and `escape` is run.
    std::string put(std::int32_t cell, const std::string& value, const std::string& escape) const;
    std::string put_one_of(const Cells& cells, const std::string& index, const std::string& value,
                           const std::string& escape) const;
    // Whether a location, given as an operand, is one of these.
    std::string is_among(const std::vector<std::uint8_t>& members, const std::string& location) const;
    // Whether a process number is in use.
    std::string is_live(std::size_t number) const;

    // A function begins: forgets the scratch cells that were named.
    void begin() const { named_.clear(); }
    // Declarations of those that were.
    std::string declarations() const;
    // Constant tables that the code reads.
    std::string tables() const;
    // Whether some block was left to the engine, because of an instruction that there is no code for.
    bool leaves_blocks() const { return leaves_blocks_; }

private:
    // Cells whose bits lie in one word at equal distances, or that have one value.
    struct Stretch {
        std::int32_t first, count; // indices
        Packing place;             // of the first
        std::uint32_t distance;    // in bits
    };

    std::vector<Stretch> stretches_of(const Cells& cells) const;
    std::string read(const Packing& place, const std::string& more) const;
    std::string put_into(const Packing& place, const std::string& more, const std::string& value, std::int64_t low,
                         std::int64_t high, const std::string& escape) const;
    std::string table_of(const std::vector<std::int32_t>& values) const;
    std::string by_process(std::int32_t cell, const std::function<std::string(std::size_t)>& of) const;
    std::string at(const Instruction& ins) const;
    std::string find(std::int32_t kind) const;
    std::string remote(const Instruction& ins) const;
    std::string remote_of(std::size_t number, const Instruction& ins) const;
    std::string nonprogress() const;
    std::string poll(const ChannelPlace& channel, const Instruction& ins) const;
    std::string on_channel(const Instruction& ins, const Exit& exit) const;

    const Program& program_;
    CellNames names_;
    mutable std::set<std::int32_t> named_;
    mutable std::map<std::string, std::string> tables_; // name by contents
    mutable bool leaves_blocks_ = false;
};

} // namespace beeline
