// Type-based open list: states of one type, which is their depth and their estimate, wait together; the next state is
// any of a type, and all types are equally likely (Xie, Mueller, Holte and Imai, "Type-based exploration with multiple
// search queues for satisficing planning", AAAI 2014). Heuristics that mislead cannot starve what they think little of.
#pragma once

#include "search/open_list.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beeline {

class TypeList {
public:
    TypeList(MemoryAccount& account, std::uint64_t seed) : pool_(account), random_(seed) {}

    bool empty() const { return types_.empty(); }

    // False if the memory budget refuses.
    bool push(Key type, Index index) {
        const auto [place, fresh] = place_of_.try_emplace(type, types_.size());
        if (fresh) {
            types_.push_back({type, Bucket()});
        }
        const std::size_t at = place->second;
        const bool granted = types_[at].waiting.push(pool_, index);
        if (types_[at].waiting.empty()) {
            drop(at);
        }
        return granted;
    }

    Index pop() {
        const std::size_t at = random_.below(types_.size());
        const Index index = types_[at].waiting.pop(pool_, Ties::kRandom, random_);
        if (types_[at].waiting.empty()) {
            drop(at);
        }
        return index;
    }

    // A list that takes over must be empty. Types stay in their places, among which chance decides.
    template <class Archive>
    void archive(Archive& with) {
        std::vector<Key> keys;
        for (const Type& type : types_) {
            keys.push_back(type.key);
        }
        with(random_, keys);
        for (const Key key : keys) {
            const auto [place, fresh] = place_of_.try_emplace(key, types_.size());
            if (fresh) {
                types_.push_back({key, Bucket()});
            }
            types_[place->second].waiting.archive(with, pool_);
        }
    }

private:
    struct Type {
        Key key;
        Bucket waiting;
    };

    void drop(std::size_t at) {
        types_[at].waiting.release(pool_);
        place_of_.erase(types_[at].key);
        if (at + 1 != types_.size()) {
            types_[at] = std::move(types_.back());
            place_of_[types_[at].key] = at;
        }
        types_.pop_back();
    }

    ChunkPool pool_;
    Random random_;
    std::vector<Type> types_;
    std::unordered_map<Key, std::size_t> place_of_;
};

} // namespace beeline
