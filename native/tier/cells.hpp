// How generated code writes numbers and cells.
#pragma once

#include "vm/program.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

namespace beeline {

inline const std::string& text_of(const std::string& text) { return text; }
inline const char* text_of(const char* text) { return text; }
template <std::integral Number>
std::string text_of(Number value) {
    return std::to_string(value);
}

// Texts and numbers, one after the other.
template <class... Parts>
std::string say(const Parts&... parts) {
    std::string text;
    ((text += text_of(parts)), ...);
    return text;
}

// A number as an operand.
std::string number(std::int32_t value);

class CellNames {
public:
    explicit CellNames(const Program& program) : program_(program) {}

    // The value of a cell that never changes.
    std::optional<std::int32_t> constant(std::int32_t cell) const;
    // A cell's value at any time.
    std::string value(std::int32_t cell) const;
    // Its value in a stored state, where a cell without bits has the one value that the layout knows.
    std::string stored(std::int32_t cell) const;

private:
    const Program& program_;
};

} // namespace beeline
