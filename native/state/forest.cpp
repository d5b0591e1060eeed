#include "state/forest.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace beeline {

Forest::Forest(std::size_t words, TreeShape shape, MemoryAccount& account)
    : roots(account), shape_(std::move(shape)), leaf_of_(words), keys_(words), words_(words),
      numbers_(shape_.nodes.size()), sums_(shape_.nodes.size()), differences_(shape_.nodes.size()),
      changes_(shape_.height + 1) {
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
        const TreeShape::Node& node = shape_.nodes[i];
        const bool leaf = node.left == TreeShape::kNone;
        parts_.push_back(std::make_unique<PartSet>(leaf ? node.words.size() : 2, account));
        part_.resize(std::max<std::size_t>({part_.size(), node.words.size(), 2}));
        leaves_ |= std::uint64_t{leaf} << i;
        for (std::size_t k = 0; k < node.words.size(); ++k) {
            leaf_of_[node.words[k]] = static_cast<std::uint8_t>(i);
            keys_[node.words[k]] = make_hash_key(k);
        }
    }
}

const std::uint32_t* Forest::part(const TreeShape::Node& node, const Word* words, const std::uint32_t* numbers) {
    if (node.left != TreeShape::kNone) {
        part_[0] = numbers[node.left];
        part_[1] = numbers[node.right];
    } else {
        for (std::size_t i = 0; i < node.words.size(); ++i) {
            part_[i] = words[node.words[i]];
        }
    }
    return part_.data();
}

std::uint32_t Forest::number_of(std::size_t node, const std::uint32_t* part, std::uint64_t hash) {
    const std::uint32_t number = parts_[node]->insert(part, hash);
    out_of_memory_ = out_of_memory_ || number == PartSet::kNone;
    return number;
}

std::uint64_t Forest::changed_leaves(const Word* words) {
    std::uint64_t changed = is_unfolded_ ? 0 : leaves_;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (words[i] != words_[i]) {
            changed |= std::uint64_t{1} << leaf_of_[i];
            differences_[leaf_of_[i]] += hash_difference(keys_[i], words_[i], words[i]);
        }
    }
    return changed;
}

std::uint64_t Forest::take_hash(std::size_t leaf) {
    return finish_hash(sums_[leaf] + std::exchange(differences_[leaf], 0));
}

std::uint64_t Forest::fold(const Word* words) {
    if (is_root()) {
        return as_root(words);
    }
    std::uint64_t changed = changed_leaves(words);
    folded_ = numbers_;
    for (std::size_t i = 0; i < folded_.size(); ++i) {
        const TreeShape::Node& node = shape_.nodes[i];
        if ((changed >> i & 1) != 0) {
            const std::uint32_t* key = part(node, words, folded_.data());
            folded_[i] = number_of(i, key, (leaves_ >> i & 1) != 0 ? take_hash(i) : parts_[i]->hash(key));
            changed |= node.parent == TreeShape::kNone ? 0 : std::uint64_t{1} << node.parent;
        }
    }
    return root_of(folded_.data());
}

const Word* Forest::unfold(std::uint64_t root) {
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
        const TreeShape::Node& node = shape_.nodes[i];
        parts_[i]->read(numbers_[i], part_.data());
        if (node.left != TreeShape::kNone) {
            const std::uint32_t halves[2] = {part_[0], part_[1]};
            write(node.left, halves[0]);
            write(node.right, halves[1]);
        }
        for (std::size_t k = 0; k < node.words.size(); ++k) {
            words_[node.words[k]] = part_[k];
        }
        sums_[i] = hash_sum(part_.data(), node.words.size());
    }
    is_unfolded_ = true;
    return words_.data();
}

void Forest::prefetch(std::uint64_t root) const {
    if (!is_root()) {
        parts_[shape_.left]->prefetch_number(left(root));
        parts_[shape_.right]->prefetch_number(right(root));
    }
}

void Forest::compare(const SuccessorBuffer& arcs, std::size_t first) {
    differing_.resize(arcs.size());
    if (is_root()) {
        return;
    }
    const std::size_t nodes = numbers_.size();
    target_numbers_.resize(arcs.size() * nodes);
    for (std::size_t i = first; i < arcs.size(); ++i) {
        std::copy_n(numbers_.data(), nodes, target_numbers_.data() + i * nodes);
        differing_[i] = (arcs.arc(i).marks & kError) != 0 ? 0 : changed_leaves(arcs.state(i));
        note_leaves(static_cast<std::uint32_t>(i), differing_[i]);
    }
}

void Forest::note_leaves(std::uint32_t arc, std::uint64_t changed) {
    for (; changed != 0; changed &= changed - 1) {
        const auto node = static_cast<std::uint32_t>(std::countr_zero(changed));
        const std::uint64_t hash = take_hash(node);
        parts_[node]->prefetch(hash);
        changes_[0].push_back({arc, node, hash});
    }
}

void Forest::fold_compared(SuccessorBuffer& arcs) {
    for (std::size_t height = 0; height < changes_.size(); ++height) {
        if (height > 0) {
            hash_pairs(changes_[height]);
        }
        resolve(changes_[height], arcs);
        note_parents(changes_[height]);
        changes_[height].clear();
    }
    take_codes(arcs);
    target_numbers_.clear();
    differing_.clear();
}

// Arcs without a target get some code.
void Forest::take_codes(SuccessorBuffer& arcs) {
    const std::size_t nodes = numbers_.size();
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < differing_.size(); ++i) {
        const bool failed = is_root() && (arcs.arc(i).marks & kError) != 0;
        arcs.set_hash(i, !is_root() ? root_of(target_numbers_.data() + i * nodes)
                         : failed   ? 0
                                    : as_root(arcs.state(i)));
        all |= arcs.hash(i);
    }
    make_room(all);
    for (std::size_t i = 0; i < differing_.size(); ++i) {
        arcs.set_hash(i, code(arcs.hash(i)));
    }
}

// To be done when both halves of all pairs have their numbers.
void Forest::hash_pairs(std::vector<Change>& changes) {
    for (Change& change : changes) {
        const std::uint32_t* numbers = target_numbers_.data() + change.arc * numbers_.size();
        change.hash = parts_[change.node]->hash(part(shape_.nodes[change.node], nullptr, numbers));
        parts_[change.node]->prefetch(change.hash);
    }
}

void Forest::resolve(const std::vector<Change>& changes, const SuccessorBuffer& arcs) {
    for (const Change& change : changes) {
        parts_[change.node]->prefetch_part(change.hash);
    }
    for (const Change& change : changes) {
        std::uint32_t* numbers = target_numbers_.data() + change.arc * numbers_.size();
        const std::uint32_t* key = part(shape_.nodes[change.node], arcs.state(change.arc), numbers);
        numbers[change.node] = number_of(change.node, key, change.hash);
    }
}

void Forest::note_parents(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
        const std::size_t parent = shape_.nodes[change.node].parent;
        if (parent == TreeShape::kNone || (differing_[change.arc] >> parent & 1) != 0) {
            continue;
        }
        differing_[change.arc] |= std::uint64_t{1} << parent;
        changes_[shape_.nodes[parent].height].push_back({change.arc, static_cast<std::uint32_t>(parent), 0});
    }
}

} // namespace beeline
