// Positions in a program's tables are signed, so that -1 can mean none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace beeline {

// A position that is not -1, as an index.
constexpr std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

} // namespace beeline
