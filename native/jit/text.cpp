#include "jit/text.hpp"

namespace beeline {

std::string number(std::int32_t value) { return value == INT32_MIN ? "(-2147483647 - 1)" : say("(", value, ")"); }

std::string mark(std::int32_t value) { return say(std::string(1, kMark), value, std::string(1, kMark)); }

std::optional<std::int32_t> CellNames::constant(std::int32_t cell) const {
    const auto at = [cell](const std::vector<std::int32_t>& values, std::int32_t first) -> std::optional<std::int32_t> {
        const std::int64_t index = std::int64_t{cell} - first;
        return index >= 0 && index < static_cast<std::int64_t>(values.size())
                   ? std::optional(values[static_cast<std::size_t>(index)])
                   : std::nullopt;
    };
    const auto own = at(program_.constants, program_.state_cells);
    return own ? own : at(program_.plan.constants, program_.zero_cell);
}

std::string CellNames::value(std::int32_t cell) const {
    const auto known = constant(cell);
    return known ? mark(*known) : cell_at(cell);
}

} // namespace beeline
