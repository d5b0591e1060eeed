// The way to a state of a store that keeps no parents: for each layer backwards, the first state of the layer before
// that has an arc there. A breadth-first search came the same way, so the path is the one that parents would have
// given.
#pragma once

#include "search/outcome.hpp"
#include "space/space.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace beeline {

// A store that knows its layers, and so can do without parents.
template <class T>
inline constexpr bool is_layered = requires(T& store) { store.begin_layer(std::size_t{}); };

template <Space S, class T>
class Retrace {
public:
    Retrace(S& space, const T& store) : space_(space), store_(store), buffer_(store.words()), source_(store.words()) {}

    Path to(Index index) {
        Path backwards;
        backwards.words = store_.words();
        if (index == kNoIndex) {
            return backwards;
        }
        const auto& layers = store_.layers();
        auto layer = static_cast<std::size_t>(std::upper_bound(layers.begin(), layers.end(), index) - layers.begin());
        const Word* words = store_.state(index);
        std::vector<Word> target(words, words + store_.words());
        for (; layer > 1; --layer) {
            const std::uint32_t action = step_to(target, layers[layer - 2], layers[layer - 1]);
            backwards.append(action, target.data());
            target = source_;
        }
        backwards.append(0, target.data());
        return reversed(backwards);
    }

private:
    // The action of the first arc from states first .. end to the target; its source is left in `source_`.
    std::uint32_t step_to(const std::vector<Word>& target, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            std::copy_n(store_.state(static_cast<Index>(i)), store_.words(), source_.begin());
            buffer_.clear();
            space_.expand(source_.data(), buffer_);
            for (std::size_t arc = 0; arc < buffer_.size(); ++arc) {
                const bool has_target = (buffer_.arc(arc).marks & kError) == 0;
                if (has_target && std::equal(target.begin(), target.end(), buffer_.state(arc))) {
                    return buffer_.arc(arc).action;
                }
            }
        }
        throw std::logic_error("a stored state has no state before it");
    }

    static Path reversed(const Path& path) {
        Path result;
        result.words = path.words;
        for (std::size_t i = path.size(); i-- > 0;) {
            result.append(path.actions[i], path.state(i));
        }
        return result;
    }

    S& space_;
    const T& store_;
    SuccessorBuffer buffer_;
    std::vector<Word> source_;
};

} // namespace beeline
