// How the words of a state are put together to a tree: which of them make a leaf, and which parts are joined.
//
// The fewer different parts occur, the smaller the tree's tables are. Words that change together belong together; what
// they are is seen in a sample of states.
#pragma once

#include "space/space.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace beeline {

struct TreeShape {
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kMostNodes = 64; // so that some of them are one number's bits

    // A part of the state: some words, or two nodes before it.
    struct Node {
        std::vector<std::size_t> words; // of a leaf
        std::size_t left = kNone, right = kNone;
        std::size_t parent = kNone; // none: half of the whole state
        std::size_t height = 0;
    };

    std::vector<Node> nodes;                 // halves before the whole
    std::size_t left = kNone, right = kNone; // the halves of the state; none where it has two words or one
    std::size_t height = 0;                  // of the higher of them

    // Neighbours together.
    static TreeShape even(std::size_t words);
    // So that few different parts occur in the given states, which follow one another.
    static TreeShape learnt(std::size_t words, const std::vector<Word>& sample);
};

} // namespace beeline
