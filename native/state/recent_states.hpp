// The states that were met last, or many of them: most arcs of a breadth-first search lead to states that others led to
// shortly before. A state's place is told by its hash; it stays there until another one takes it.
#pragma once

#include "state/hash.hpp"
#include "state/word.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace beeline {

class RecentStates {
public:
    // Forgets everything; from now on states have so many words.
    void reset(std::size_t words) {
        words_ = words;
        stride_ = kHashWords + words;
        count_ = std::bit_floor(std::max(kBytes / (stride_ * sizeof(Word)), std::size_t{1}));
        records_.assign(count_ * stride_, 0);
    }
    // Whether states have so many words since the last `reset`, and nothing was forgotten meanwhile.
    bool is_for(std::size_t words) const { return words_ == words; }
    void forget() { words_ = kNone; }

    // Whether a state is there; now it is. Only if this is for states of its length.
    bool meet(const Word* state, std::uint64_t hash) {
        Word* const record = records_.data() + (hash & (count_ - 1)) * stride_;
        hash |= 1; // no empty record has that
        if (load_pair(record) == hash && std::memcmp(record + kHashWords, state, words_ * sizeof(Word)) == 0) {
            return true;
        }
        std::memcpy(record, &hash, sizeof hash);
        std::memcpy(record + kHashWords, state, words_ * sizeof(Word));
        return false;
    }

private:
    static constexpr std::size_t kBytes = std::size_t{1} << 19; // about half of a second-level cache
    static constexpr std::size_t kHashWords = 2;

    static constexpr std::size_t kNone = ~std::size_t{0};

    std::size_t words_ = kNone;
    std::size_t stride_ = kHashWords;
    std::size_t count_ = 0;     // a power of two
    std::vector<Word> records_; // of each its hash and its words
};

} // namespace beeline
