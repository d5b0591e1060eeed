// States as trees of numbered parts, and the set of their roots (tree compression: Blom, Lisser, van de Pol and Weber,
// 2011; Laarman, van de Pol and Weber, 2011).
//
// One word or two are their own root, without any tree. Otherwise a leaf is some bits of some words; two parts make a
// larger one, up to the halves of the state, whose numbers are the root. Every node of the tree has a table of its own,
// so that numbers are small. Most steps change few parts: a target is compared with its origin, and only the way from
// changed leaves to the root is looked up.
#pragma once

#include "state/node_table.hpp"
#include "state/root_table.hpp"
#include "state/stack.hpp"
#include "state/successors.hpp"
#include "state/tree_shape.hpp"

#include <memory>
#include <vector>

namespace beeline {

class TreeTable {
public:
    // With room for so many roots at once; see RootTable.
    TreeTable(std::size_t words, const UnitPlaces& places, TreeShape shape, MemoryAccount& account,
              std::size_t expected = 0);

    // The words of a root; good until the next call.
    const Word* unfold(std::uint64_t root);
    const Word* unfolded() const { return words_.data(); }
    // The root of a state, both halves in one number. Numbers its parts if they are new. Quick for states that resemble
    // the one last unfolded.
    std::uint64_t fold(const Word* words);

    // Gives arcs, which have the roots of their targets as hashes, the codes of these.
    void take_codes(SuccessorBuffer& arcs);

    // Takes another layout of states, in which units have other places: `convert` writes a state of the present one in
    // the new one; there is none where bits that were not used are taken into use, and nothing else. Roots stay. False
    // if memory is short or the new states are another kind of tree; nothing has changed then.
    using Convert = FunctionRef<void(const Word*, Word*)>;
    bool change_layout(std::size_t words, const UnitPlaces& places, const Convert* convert);

    // Asks for what `unfold` will read first.
    void prefetch(std::uint64_t root) const;

    static std::uint32_t left(std::uint64_t root) { return static_cast<std::uint32_t>(root); }
    static std::uint32_t right(std::uint64_t root) { return static_cast<std::uint32_t>(root >> 32); }

    std::size_t words() const { return words_.size(); }
    bool out_of_memory() const { return out_of_memory_; }

    // The code of a root in `roots`, good until `take_codes` or `code_of` are called again.
    std::uint64_t code_of(std::uint64_t root) {
        make_room(root);
        return code(root);
    }

    RootTable roots;

private:
    // Bits of a word in a leaf.
    struct Piece {
        Word word, mask;
    };
    using Leaf = std::vector<Piece>;
    // A leaf in which a word has bits, and the key of its place there.
    struct Touch {
        std::uint32_t leaf;
        Word mask;
        std::uint64_t key;
    };

    bool is_leaf(std::size_t node) const { return shape_.nodes[node].left == TreeShape::kNone; }
    // The pieces of a node, those in the words of the present ones before others.
    Leaf leaf_at(std::size_t node, const UnitPlaces& places, const Leaf& present) const;
    std::unique_ptr<NodeTable> converted_parts(std::size_t node, const Leaf& leaf, std::size_t words, Convert convert);
    void take_leaves(std::vector<Leaf> leaves, std::size_t words);

    // For roots with bits up to those of the given one.
    void make_room(std::uint64_t root) { out_of_memory_ = !roots.make_room(left(root), right(root)) || out_of_memory_; }
    std::uint64_t code(std::uint64_t root) const { return roots.code(left(root), right(root)); }
    // The vector that a node's table keeps, for a state with these words and numbers of nodes; good until the next
    // call.
    const std::uint32_t* part(std::size_t node, const Word* words, const std::uint32_t* numbers);
    std::uint32_t number_of(std::size_t node, const std::uint32_t* part, std::uint64_t hash);
    std::uint64_t root_of(const std::uint32_t* numbers) const {
        return numbers[shape_.left] | std::uint64_t{numbers[shape_.right]} << 32;
    }
    bool is_root() const { return words_.size() <= 2; }
    std::uint64_t as_root(const Word* words) const {
        return words[0] | (words_.size() == 2 ? std::uint64_t{words[1]} << 32 : 0);
    }
    // Leaves in which a state differs from the one last unfolded, as bits. Their hashes must then be taken.
    std::uint64_t changed_leaves(const Word* words);
    std::uint64_t take_hash(std::size_t leaf);

    MemoryAccount& account_;
    TreeShape shape_;
    std::vector<Leaf> leaves_;                      // by node: none for pairs
    std::vector<std::unique_ptr<NodeTable>> parts_; // by node
    std::vector<Touch> touches_;                    // in the order of their words,
    std::vector<std::uint32_t> first_touch_;        // which begin here
    std::uint64_t leaf_bits_ = 0;                   // of nodes
    std::vector<std::uint32_t> part_;
    // The state last unfolded.
    std::vector<Word> words_;
    std::vector<std::uint32_t> numbers_, folded_; // by node; the second ones of the state compared last
    std::vector<std::uint64_t> sums_;             // of its leaves, by node,
    std::vector<std::uint64_t> differences_;      // and what they are less than those of the state compared last
    bool is_unfolded_ = false;
    bool out_of_memory_ = false;
};

} // namespace beeline
