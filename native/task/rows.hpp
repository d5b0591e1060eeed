// Rows of numbers, one after the other in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class Rows {
public:
    struct Range {
        const std::int32_t* first;
        const std::int32_t* last;
        const std::int32_t* begin() const { return first; }
        const std::int32_t* end() const { return last; }
        std::size_t size() const { return static_cast<std::size_t>(last - first); }
    };

    std::size_t size() const { return starts_.size() - 1; }
    Range operator[](std::int32_t row) const {
        const std::size_t* start = starts_.data() + row;
        return {items_.data() + start[0], items_.data() + start[1]};
    }
    void add(const std::vector<std::int32_t>& row) {
        items_.insert(items_.end(), row.begin(), row.end());
        close();
    }
    // A row may also come item by item; what was pushed since the last row is closed, or is dropped.
    void push(std::int32_t item) { items_.push_back(item); }
    Range open() const { return {items_.data() + starts_.back(), items_.data() + items_.size()}; }
    void close() { starts_.push_back(items_.size()); }
    void drop() { items_.resize(starts_.back()); }

    // For each number below `count`, the rows in which it is, in their order.
    Rows inverted(std::size_t count) const {
        Rows result;
        result.starts_.assign(count + 1, 0);
        for (const std::int32_t item : items_) {
            ++result.starts_[static_cast<std::size_t>(item) + 1];
        }
        for (std::size_t i = 0; i < count; ++i) {
            result.starts_[i + 1] += result.starts_[i];
        }
        result.items_.resize(items_.size());
        std::vector<std::size_t> next(result.starts_.begin(), result.starts_.end() - 1);
        for (std::size_t row = 0; row < size(); ++row) {
            for (std::size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
                result.items_[next[static_cast<std::size_t>(items_[i])]++] = static_cast<std::int32_t>(row);
            }
        }
        return result;
    }

private:
    std::vector<std::size_t> starts_{0};
    std::vector<std::int32_t> items_;
};

} // namespace beeline
