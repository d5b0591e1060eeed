// Numbers of steps that several edges take together, in the order in which they are first met. Spaces that are searched
// side by side share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace beeline {

class JointActions {
public:
    using Edges = std::vector<std::int32_t>;

    std::size_t number(const Edges& edges) {
        const std::lock_guard lock(mutex_);
        const auto [place, fresh] = numbers_.try_emplace(edges, edges_.size());
        if (fresh) {
            edges_.push_back(edges);
        }
        return place->second;
    }
    Edges edges(std::size_t number) const {
        const std::lock_guard lock(mutex_);
        if (number >= edges_.size()) {
            throw std::invalid_argument("this space has no such action");
        }
        return edges_[number];
    }

private:
    mutable std::mutex mutex_;
    std::map<Edges, std::size_t> numbers_;
    std::vector<Edges> edges_;
};

} // namespace beeline
