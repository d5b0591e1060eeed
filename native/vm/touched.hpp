// The cells of a state that a computation read or wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class Touched {
public:
    void begin(std::int32_t state_cells) {
        if (rounds_.size() != static_cast<std::size_t>(state_cells) || ++round_ == 0) {
            rounds_.assign(static_cast<std::size_t>(state_cells), 0);
            round_ = 1;
        }
        cells_.clear();
        complete_ = true;
    }
    // Cells behind those of the state are no part of it.
    void add(std::int32_t cell) {
        const auto position = static_cast<std::size_t>(cell);
        if (position < rounds_.size() && rounds_[position] != round_) {
            rounds_[position] = round_;
            cells_.push_back(cell);
        }
    }
    void add_range(std::int32_t first, std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i) {
            add(first + i);
        }
    }
    // Something was touched that is not worth following.
    void give_up() { complete_ = false; }

    bool complete() const { return complete_; }
    const std::vector<std::int32_t>& cells() const { return cells_; }

private:
    std::vector<std::uint32_t> rounds_; // by cell: when it was touched last
    std::uint32_t round_ = 0;
    std::vector<std::int32_t> cells_;
    bool complete_ = true;
};

} // namespace beeline
