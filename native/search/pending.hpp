// The stack of depth-first search: arcs that were seen but not yet followed, the next one on top.
#pragma once

#include "space/space.hpp"
#include "state/region.hpp"
#include "state/store.hpp"

#include <cstdint>
#include <cstring>

namespace beeline {

class PendingStack {
public:
    struct Entry {
        Index parent;
        std::uint32_t depth; // of the target
        std::uint32_t action;
        std::uint32_t marks;
    };

    PendingStack(std::size_t words, MemoryAccount& account)
        : words_(words), stride_(sizeof(Entry) + words * sizeof(Word)), region_(account) {}

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }

    // False if the memory budget refuses.
    bool push(const Entry& entry, const Word* target) {
        if (!region_.ensure((size_ + 1) * stride_)) {
            return false;
        }
        std::byte* place = region_.data() + size_++ * stride_;
        std::memcpy(place, &entry, sizeof entry);
        std::memcpy(place + sizeof entry, target, words_ * sizeof(Word));
        return true;
    }

    Entry top() const {
        Entry entry;
        std::memcpy(&entry, top_place(), sizeof entry);
        return entry;
    }
    const Word* top_target() const { return reinterpret_cast<const Word*>(top_place() + sizeof(Entry)); }
    void pop() { --size_; }

private:
    const std::byte* top_place() const { return region_.data() + (size_ - 1) * stride_; }

    std::size_t words_;
    std::size_t stride_;
    std::size_t size_ = 0;
    Region region_;
};

} // namespace beeline
