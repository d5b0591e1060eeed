// Comparing all 32-bit numbers of a cache line at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace beeline {

inline constexpr std::size_t kLineBytes = 64;

// Which of the sixteen numbers of a line, which is aligned, are equal to the given one, as bits.
inline std::uint32_t equal_in_line(const std::byte* line, std::uint32_t number) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(number));
    const auto equal = [&](std::size_t quarter) {
        return _mm_cmpeq_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(line) + quarter), wanted);
    };
    const __m128i first = _mm_packs_epi32(equal(0), equal(1)), second = _mm_packs_epi32(equal(2), equal(3));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(first, second)));
#else
    const auto* numbers = reinterpret_cast<const std::uint32_t*>(line);
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < kLineBytes / sizeof(std::uint32_t); ++i) {
        found |= std::uint32_t{numbers[i] == number} << i;
    }
    return found;
#endif
}

} // namespace beeline
