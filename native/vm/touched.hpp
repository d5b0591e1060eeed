// The cells of a state that a computation read or wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class Touched {
public:
    // With `exact`, what is read and what is written is told cell by cell, no more and no less; else more may be told
    // where that is quicker.
    void begin(std::int32_t state_cells, bool exact = false) {
        exact_ = exact;
        if (touched_.size() != static_cast<std::size_t>(state_cells) || ++round_ == 0) {
            touched_.assign(static_cast<std::size_t>(state_cells), 0);
            read_ = written_ = touched_;
            round_ = 1;
            step_ = 0;
        }
        cells_.clear();
        reads_.clear();
        begin_step();
        complete_ = true;
    }
    // What was written so far has been taken back.
    void begin_step() {
        if (++step_ == 0) {
            written_.assign(written_.size(), 0);
            step_ = 1;
        }
        writes_.clear();
    }
    // A cell is read. Cells behind those of the state are no part of it, and what the same step wrote before depends on
    // what it had read then.
    void add(std::int32_t cell) {
        const auto position = static_cast<std::size_t>(cell);
        if (position < touched_.size()) {
            note(cell);
            if (exact_ && written_[position] != step_ && read_[position] != round_) {
                read_[position] = round_;
                reads_.push_back(cell);
            }
        }
    }
    void add_range(std::int32_t first, std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i) {
            add(first + i);
        }
    }
    // A cell is written, whatever was there.
    void write(std::int32_t cell) {
        const auto position = static_cast<std::size_t>(cell);
        if (position < touched_.size()) {
            note(cell);
            if (exact_ && written_[position] != step_) {
                written_[position] = step_;
                writes_.push_back(cell);
            }
        }
    }
    void write_range(std::int32_t first, std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i) {
            write(first + i);
        }
    }
    // Something was touched that is not worth remembering.
    void give_up() { complete_ = false; }

    bool complete() const { return complete_; }
    bool exact() const { return exact_; }
    // All of them,
    const std::vector<std::int32_t>& cells() const { return cells_; }
    // if told exactly, those that were read before the step at hand wrote them,
    const std::vector<std::int32_t>& reads() const { return reads_; }
    bool is_read(std::int32_t cell) const { return read_[static_cast<std::size_t>(cell)] == round_; }
    // and those that the step at hand wrote.
    const std::vector<std::int32_t>& writes() const { return writes_; }

private:
    void note(std::int32_t cell) {
        if (touched_[static_cast<std::size_t>(cell)] != round_) {
            touched_[static_cast<std::size_t>(cell)] = round_;
            cells_.push_back(cell);
        }
    }

    std::vector<std::uint32_t> touched_, read_, written_; // by cell: the round, or step, in which it was so last
    std::uint32_t round_ = 0, step_ = 0;
    std::vector<std::int32_t> cells_, reads_, writes_;
    bool complete_ = true;
    bool exact_ = false;
};

} // namespace beeline
