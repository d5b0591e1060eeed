// A 64-bit hash for short arrays of words: multiply to 128 bits and fold, two words of 64 bits at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace beeline {

inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t load_pair(const std::uint32_t* words) {
    std::uint64_t value;
    std::memcpy(&value, words, sizeof value);
    return value;
}

// The constants are arbitrary odd numbers with about half of their bits set. States differ in few bits, so every input
// bit goes through two multiplications before it can meet another word's.
inline std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
    constexpr std::uint64_t k0 = 0x9e3779b97f4a7c15, k1 = 0xd1b54a32d192ed03, k2 = 0x8cb92ba72f3d8dd7;
    std::uint64_t hash = k0 ^ count;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        hash = fold_multiply(load_pair(words + i) ^ k1, load_pair(words + i + 2) ^ hash);
    }
    if (i + 2 <= count) {
        hash = fold_multiply(load_pair(words + i) ^ k1, hash ^ k2);
        i += 2;
    }
    if (i < count) {
        hash = fold_multiply(words[i] ^ k2, hash ^ k1);
    }
    return fold_multiply(hash ^ k1, k2);
}

} // namespace beeline
