// How generated code is put together.
//
// Numbers that may be others for another process of the same kind are marked. Functions that differ in such numbers
// only become one, which finds them in a table (jit/function_table.hpp).
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

inline constexpr char kMark = '\1';

// A number as an operand.
std::string number(std::int32_t value);
// The same where it may be another one for another process.
std::string mark(std::int32_t value);

class CellNames {
public:
    explicit CellNames(const Program& program) : program_(program) {}

    // The value of a cell that never changes.
    std::optional<std::int32_t> constant(std::int32_t cell) const;
    std::string value(std::int32_t cell) const;

private:
    const Program& program_;
};

// A place in memory.
inline std::string cell_at(std::int32_t cell) { return say("m[", mark(cell), "]"); }

} // namespace beeline
