// How the bits of a state are put together to a tree: which of them make a leaf, and which parts are joined.
//
// The fewer different parts occur, the smaller the tree's tables are. What changes together belongs together; what that
// is is seen in a sample of states. The units that are put together are a program's cells, or else words; where a unit
// lies in the words of a state may change, but not the leaf that it belongs to.
#pragma once

#include "state/word.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace beeline {

// The bits of a unit: none where its value is constant.
struct UnitPlace {
    Word word;
    Word mask;
};
using UnitPlaces = std::vector<UnitPlace>;

// Every word is a unit.
UnitPlaces word_places(std::size_t words);

struct TreeShape {
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kMostNodes = 64; // so that some of them are one number's bits

    // A part of the state: some units, or two nodes before it.
    struct Node {
        std::vector<std::size_t> units; // of a leaf
        std::size_t left = kNone, right = kNone;
        std::size_t parent = kNone; // none: half of the whole state
    };

    std::vector<Node> nodes;                 // halves before the whole
    std::size_t left = kNone, right = kNone; // the halves of the state; none where it has two words or one

    // Neighbours together.
    static TreeShape even(std::size_t words, std::size_t units);
    // So that few different parts occur in the given states of so many words, which follow one another.
    static TreeShape learnt(std::size_t words, const UnitPlaces& places, const std::vector<Word>& sample);
};

} // namespace beeline
