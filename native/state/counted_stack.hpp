// A stack that counts against the memory budget: depth-first searches can go as deep as there are states.
#pragma once

#include "state/column.hpp"

#include <algorithm>
#include <cstddef>

namespace beeline {

template <class T>
class CountedStack {
public:
    explicit CountedStack(MemoryAccount& account) : items_(account) {}

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    // False if the memory budget refuses.
    bool push(const T& item) {
        if (!items_.ensure(size_)) {
            return false;
        }
        items_[size_++] = item;
        return true;
    }
    void pop() { --size_; }
    void cut(std::size_t size) { size_ = size; }
    void drop_first(std::size_t count) {
        std::copy(items_.data() + count, items_.data() + size_, items_.data());
        size_ -= count;
    }
    T& top() { return items_[size_ - 1]; }
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }

private:
    Column<T> items_;
    std::size_t size_ = 0;
};

} // namespace beeline
