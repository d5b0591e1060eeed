#include "state/tree_shape.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace beeline {
namespace {

using Words = std::vector<std::size_t>;
using Halves = std::pair<Words, Words>;
using Divide = std::function<Halves(const Words&)>;

constexpr std::size_t kLeafWords = 6; // longer leaves take fewer lookups, shorter ones less memory
constexpr std::size_t kMostLeaves = 32;

Halves in_order(const Words& words) {
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>((words.size() + 1) / 2);
    return {{words.begin(), middle}, {middle, words.end()}};
}

// Divides words between two sides so that few different halves occur in a sample, by moving and exchanging words as
// long as that helps.
class Division {
public:
    Division(std::size_t stride, const std::vector<Word>& sample)
        : stride_(stride), count_(sample.size() / stride), sample_(sample),
          slots_(std::bit_ceil(2 * std::max<std::size_t>(count_, 1))) {}

    Halves operator()(const Words& words) {
        begin(words);
        for (int round = 0; round < kRounds && improve(); ++round) {
        }
        Halves halves;
        for (std::size_t i = 0; i < varying_.size(); ++i) {
            (side_[i] == 0 ? halves.first : halves.second).push_back(varying_[i]);
        }
        for (const std::size_t word : words) { // what never changes goes where there is room
            if (std::find(varying_.begin(), varying_.end(), word) == varying_.end()) {
                (halves.first.size() <= halves.second.size() ? halves.first : halves.second).push_back(word);
            }
        }
        return halves.first.empty() || halves.second.empty() ? in_order(words) : halves;
    }

private:
    static constexpr int kRounds = 4;
    static constexpr std::size_t kMostExchanged = 24; // words

    Word word(std::size_t state, std::size_t word) const { return sample_[state * stride_ + word]; }

    bool varies(std::size_t position) const {
        for (std::size_t i = 1; i < count_; ++i) {
            if (word(i, position) != word(0, position)) {
                return true;
            }
        }
        return false;
    }

    void begin(const Words& words) {
        varying_.clear();
        std::copy_if(words.begin(), words.end(), std::back_inserter(varying_),
                     [&](std::size_t i) { return varies(i); });
        side_.assign(varying_.size(), 0);
        sums_[0].assign(count_, 0);
        sums_[1].assign(count_, 0);
        for (std::size_t i = 0; i < varying_.size(); ++i) {
            side_[i] = i >= (varying_.size() + 1) / 2;
            add(side_[i], varying_[i], 1);
        }
        cost_ = cost();
    }

    // Exchanges first: where words tell the same, moves alone would gather everything on one side.
    bool improve() {
        bool better = false;
        for (std::size_t i = 0; varying_.size() <= kMostExchanged && i < varying_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                better |= side_[i] != side_[j] && try_moving({i, j});
            }
        }
        for (std::size_t i = 0; i < varying_.size(); ++i) {
            better |= try_moving({i});
        }
        return better;
    }

    bool try_moving(std::initializer_list<std::size_t> moved) {
        const auto move = [&] {
            for (const std::size_t i : moved) {
                add(side_[i], varying_[i], ~std::uint64_t{0});
                side_[i] ^= 1;
                add(side_[i], varying_[i], 1);
            }
        };
        move();
        const std::size_t cost = this->cost();
        if (cost < cost_) {
            cost_ = cost;
            return true;
        }
        move();
        return false;
    }

    // Adds a word times `sign` to the hashes of a side.
    void add(std::size_t side, std::size_t position, std::uint64_t sign) {
        const std::uint64_t key = make_hash_key(position) * sign;
        for (std::size_t i = 0; i < count_; ++i) {
            sums_[side][i] += word(i, position) * key;
        }
    }
    std::size_t cost() { return different(sums_[0]) + different(sums_[1]); }
    std::size_t different(const std::vector<std::uint64_t>& sums) {
        std::fill(slots_.begin(), slots_.end(), 0);
        std::size_t found = 0;
        for (const std::uint64_t sum : sums) {
            const std::uint64_t code = finish_hash(sum) | 1; // two that look alike do no harm
            std::size_t slot = code >> 32 & (slots_.size() - 1);
            while (slots_[slot] != 0 && slots_[slot] != code) {
                slot = (slot + 1) & (slots_.size() - 1);
            }
            found += slots_[slot] == 0;
            slots_[slot] = code;
        }
        return found;
    }

    std::size_t stride_, count_;
    const std::vector<Word>& sample_;
    Words varying_;
    std::vector<std::uint8_t> side_; // by position in `varying_`
    std::array<std::vector<std::uint64_t>, 2> sums_;
    std::vector<std::uint64_t> slots_;
    std::size_t cost_ = 0;
};

// Adds the nodes of some words; returns the last.
std::size_t add_nodes(TreeShape& shape, const Words& words, std::size_t leaf_words, const Divide& divide) {
    TreeShape::Node node;
    if (words.size() <= leaf_words) {
        node.words = words;
    } else {
        const Halves halves = divide(words);
        node.left = add_nodes(shape, halves.first, leaf_words, divide);
        node.right = add_nodes(shape, halves.second, leaf_words, divide);
        shape.nodes[node.left].parent = shape.nodes[node.right].parent = shape.nodes.size();
        node.height = 1 + std::max(shape.nodes[node.left].height, shape.nodes[node.right].height);
    }
    shape.height = std::max(shape.height, node.height);
    shape.nodes.push_back(std::move(node));
    return shape.nodes.size() - 1;
}

TreeShape shape_of(std::size_t count, const Divide& divide) {
    TreeShape shape;
    if (count <= 2) {
        return shape;
    }
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = i;
    }
    const std::size_t leaf_words = std::max(kLeafWords, (count + kMostLeaves / 2 - 1) / (kMostLeaves / 2));
    const Halves halves = divide(words);
    shape.left = add_nodes(shape, halves.first, leaf_words, divide);
    shape.right = add_nodes(shape, halves.second, leaf_words, divide);
    return shape;
}

} // namespace

TreeShape TreeShape::even(std::size_t words) { return shape_of(words, in_order); }

TreeShape TreeShape::learnt(std::size_t words, const std::vector<Word>& sample) {
    TreeShape shape = shape_of(words, Division(words, sample));
    return shape.nodes.size() <= kMostNodes ? shape : even(words);
}

} // namespace beeline
