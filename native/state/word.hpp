// What packed states consist of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace beeline {

using Word = std::uint32_t;

// Words behind a state in a buffer that may be read and written when states are copied.
inline constexpr std::size_t kSpareWords = 4;

} // namespace beeline
