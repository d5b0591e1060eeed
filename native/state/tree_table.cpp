#include "state/tree_table.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace beeline {

TreeTable::TreeTable(std::size_t words, const UnitPlaces& places, TreeShape shape, MemoryAccount& account,
                     std::size_t expected)
    : roots(account, expected), account_(account), shape_(std::move(shape)), numbers_(shape_.nodes.size()),
      folded_(shape_.nodes.size()), sums_(shape_.nodes.size()), differences_(shape_.nodes.size()) {
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
        leaves.push_back(leaf_at(i, places, {}));
        parts_.push_back(std::make_unique<NodeTable>(is_leaf(i) ? leaves[i].size() : 2, account));
        leaf_bits_ |= std::uint64_t{is_leaf(i)} << i;
    }
    take_leaves(std::move(leaves), words);
}

TreeTable::Leaf TreeTable::leaf_at(std::size_t node, const UnitPlaces& places, const Leaf& present) const {
    Leaf leaf = present;
    for (Piece& piece : leaf) {
        piece.mask = 0;
    }
    for (const std::size_t unit : shape_.nodes[node].units) {
        const UnitPlace& place = places[unit];
        if (place.mask == 0) {
            continue;
        }
        auto piece = std::find_if(leaf.begin(), leaf.end(), [&](const Piece& one) { return one.word == place.word; });
        if (piece == leaf.end()) {
            piece = leaf.insert(leaf.end(), {place.word, 0});
        }
        piece->mask |= place.mask;
    }
    return leaf;
}

void TreeTable::take_leaves(std::vector<Leaf> leaves, std::size_t words) {
    leaves_ = std::move(leaves);
    std::vector<std::vector<Touch>> by_word(words);
    std::size_t longest = 2;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        longest = std::max(longest, leaves_[i].size());
        for (std::size_t k = 0; k < leaves_[i].size(); ++k) {
            const Piece& piece = leaves_[i][k];
            by_word[piece.word].push_back({static_cast<std::uint32_t>(i), piece.mask, make_hash_key(k)});
        }
    }
    touches_.clear();
    first_touch_.clear();
    for (const std::vector<Touch>& touches : by_word) {
        first_touch_.push_back(static_cast<std::uint32_t>(touches_.size()));
        touches_.insert(touches_.end(), touches.begin(), touches.end());
    }
    first_touch_.push_back(static_cast<std::uint32_t>(touches_.size()));
    part_.resize(longest);
    words_.assign(words, 0);
    std::fill(sums_.begin(), sums_.end(), 0);
    is_unfolded_ = false;
}

bool TreeTable::change_layout(std::size_t words, const UnitPlaces& places, const Convert* convert) {
    if (is_root() || words <= 2) {
        return convert == nullptr && words == words_.size();
    }
    std::vector<Leaf> leaves;
    std::vector<std::unique_ptr<NodeTable>> parts(parts_.size());
    try {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            leaves.push_back(leaf_at(i, places, convert == nullptr ? leaves_[i] : Leaf()));
            if (is_leaf(i) && convert != nullptr) {
                parts[i] = converted_parts(i, leaves[i], words, *convert);
            }
        }
    } catch (const std::bad_alloc&) {
        return false;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] != nullptr) {
            parts_[i] = std::move(parts[i]);
        } else if (is_leaf(i)) {
            parts_[i]->lengthen(leaves[i].size());
        }
    }
    take_leaves(std::move(leaves), words);
    return true;
}

// Units of other leaves get some value or other, which is left out again.
std::unique_ptr<NodeTable> TreeTable::converted_parts(std::size_t node, const Leaf& leaf, std::size_t words,
                                                      Convert convert) {
    auto parts = std::make_unique<NodeTable>(leaf.size(), account_);
    std::vector<Word> from(words_.size()), to(words);
    std::vector<std::uint32_t> part(std::max(leaf.size(), leaves_[node].size()));
    for (std::uint32_t number = 0; number < parts_[node]->size(); ++number) {
        parts_[node]->read(number, part.data());
        for (std::size_t k = 0; k < leaves_[node].size(); ++k) {
            from[leaves_[node][k].word] = part[k];
        }
        convert(from.data(), to.data());
        for (std::size_t k = 0; k < leaf.size(); ++k) {
            part[k] = to[leaf[k].word] & leaf[k].mask;
        }
        if (parts->insert(part.data(), parts->hash(part.data())) != number) {
            throw std::bad_alloc();
        }
    }
    return parts;
}

const std::uint32_t* TreeTable::part(std::size_t node, const Word* words, const std::uint32_t* numbers) {
    if (!is_leaf(node)) {
        part_[0] = numbers[shape_.nodes[node].left];
        part_[1] = numbers[shape_.nodes[node].right];
    } else {
        std::uint32_t* place = part_.data();
        for (const Piece& piece : leaves_[node]) {
            *place++ = words[piece.word] & piece.mask;
        }
    }
    return part_.data();
}

std::uint32_t TreeTable::number_of(std::size_t node, const std::uint32_t* part, std::uint64_t hash) {
    const std::uint32_t number = parts_[node]->insert(part, hash);
    out_of_memory_ = out_of_memory_ || number == NodeTable::kNone;
    return number;
}

std::uint64_t TreeTable::changed_leaves(const Word* words) {
    std::uint64_t changed = is_unfolded_ ? 0 : leaf_bits_;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (words[i] == words_[i]) {
            continue;
        }
        for (std::uint32_t k = first_touch_[i]; k < first_touch_[i + 1]; ++k) {
            const Touch& touch = touches_[k];
            const Word before = words_[i] & touch.mask, after = words[i] & touch.mask;
            changed |= std::uint64_t{before != after} << touch.leaf;
            differences_[touch.leaf] += hash_difference(touch.key, before, after);
        }
    }
    return changed;
}

std::uint64_t TreeTable::take_hash(std::size_t leaf) {
    return finish_hash(sums_[leaf] + std::exchange(differences_[leaf], 0));
}

std::uint64_t TreeTable::fold(const Word* words) {
    if (is_root()) {
        return as_root(words);
    }
    std::copy(numbers_.begin(), numbers_.end(), folded_.begin());
    // Halves come before the whole.
    for (std::uint64_t changed = changed_leaves(words); changed != 0;) {
        const auto i = static_cast<std::size_t>(std::countr_zero(changed));
        const std::uint32_t* key = part(i, words, folded_.data());
        folded_[i] = number_of(i, key, is_leaf(i) ? take_hash(i) : parts_[i]->hash(key));
        const std::size_t parent = shape_.nodes[i].parent;
        changed &= changed - 1;
        changed |= parent == TreeShape::kNone ? 0 : std::uint64_t{1} << parent;
    }
    return root_of(folded_.data());
}

const Word* TreeTable::unfold(std::uint64_t root) {
    if (is_root()) {
        words_.front() = left(root);
        words_.back() = words_.size() == 2 ? right(root) : left(root);
        return words_.data();
    }
    std::uint64_t changed = 0;
    const auto write = [&](std::size_t node, std::uint32_t number) {
        changed |= std::uint64_t{numbers_[node] != number || !is_unfolded_} << node;
        numbers_[node] = number;
    };
    write(shape_.left, left(root));
    write(shape_.right, right(root));
    while (changed != 0) {
        const auto i = static_cast<std::size_t>(63 - std::countl_zero(changed));
        changed &= ~(std::uint64_t{1} << i);
        parts_[i]->read(numbers_[i], part_.data());
        if (!is_leaf(i)) {
            const std::uint32_t halves[2] = {part_[0], part_[1]};
            write(shape_.nodes[i].left, halves[0]);
            write(shape_.nodes[i].right, halves[1]);
            continue;
        }
        const std::uint32_t* bits = part_.data();
        for (const Piece& piece : leaves_[i]) {
            words_[piece.word] = (words_[piece.word] & ~piece.mask) | *bits++;
        }
        sums_[i] = hash_sum(part_.data(), leaves_[i].size());
    }
    is_unfolded_ = true;
    return words_.data();
}

void TreeTable::prefetch(std::uint64_t root) const {
    if (!is_root()) {
        parts_[shape_.left]->prefetch_number(left(root));
        parts_[shape_.right]->prefetch_number(right(root));
    }
}

void TreeTable::take_codes(SuccessorBuffer& arcs) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        all |= arcs.hash(i);
    }
    make_room(all);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        arcs.set_hash(i, code(arcs.hash(i)));
    }
}

} // namespace beeline
