// A 64-bit hash for short arrays of words that can follow the words as they change: a sum of products of words and keys
// (multilinear hashing, Carter and Wegman, 1979), scrambled at the end. Whoever changes a word of a state whose sum is
// known adds the difference times the word's key instead of reading all words again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

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

// An arbitrary odd number for each position (the finaliser of splitmix64, Steele, Lea and Flood, 2014).
constexpr std::uint64_t make_hash_key(std::size_t position) {
    std::uint64_t z = 0x9e3779b97f4a7c15 * (position + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) | 1;
}

inline constexpr std::size_t kHashKeys = 512;
inline constexpr auto kHashKey = [] {
    std::array<std::uint64_t, kHashKeys> keys{};
    for (std::size_t i = 0; i < kHashKeys; ++i) {
        keys[i] = make_hash_key(i);
    }
    return keys;
}();

inline std::uint64_t hash_sum(const std::uint32_t* words, std::size_t count) {
    std::uint64_t sum = 0;
    const std::size_t few = count < kHashKeys ? count : kHashKeys;
    for (std::size_t i = 0; i < few; ++i) {
        sum += words[i] * kHashKey[i];
    }
    for (std::size_t i = few; i < count; ++i) {
        sum += words[i] * make_hash_key(i);
    }
    return sum;
}

// The keys of the first words, for those who follow changes.
inline std::vector<std::uint64_t> make_hash_keys(std::size_t count) {
    std::vector<std::uint64_t> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        keys[i] = make_hash_key(i);
    }
    return keys;
}

// The change of the sum when a word with this key changes.
inline std::uint64_t hash_difference(std::uint64_t key, std::uint32_t before, std::uint32_t after) {
    return (std::uint64_t{after} - before) * key;
}

inline std::uint64_t finish_hash(std::uint64_t sum) {
    return fold_multiply(sum ^ 0xd1b54a32d192ed03, 0x8cb92ba72f3d8dd7);
}

inline std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
    return finish_hash(hash_sum(words, count));
}

} // namespace beeline
