// States that wait to be expanded, in the order of their indices: those before the one asked for last are forgotten.
#pragma once

#include "state/store.hpp"

#include <bit>
#include <deque>
#include <memory>
#include <vector>

namespace beeline {

class WaitingStates {
public:
    WaitingStates(std::size_t words, MemoryAccount& account)
        : words_(words), shift_(std::countr_zero(kPageWords / (words & (~words + 1)))), account_(account) {}

    // The next state in order; false if memory is short.
    bool append(const Word* state) {
        if ((end_ & (block_states() - 1)) == 0 && !add_block()) {
            return false;
        }
        std::copy_n(state, words_, place(end_));
        ++end_;
        return true;
    }
    // Good until another state is asked for. Indices must not fall.
    const Word* state(std::size_t index) {
        while (index >= first_ + block_states()) {
            free_.push_back(std::move(blocks_.front()));
            blocks_.pop_front();
            first_ += block_states();
        }
        return place(index);
    }
    // The state after one that was just asked for, or null.
    const Word* next(std::size_t index) const { return index + 1 < end_ ? place(index + 1) : nullptr; }
    // All that are still there, some forgotten ones included.
    template <class Visit>
    void for_each(Visit&& visit) {
        for (std::size_t i = first_; i < end_; ++i) {
            visit(place(i));
        }
    }
    void clear() {
        blocks_.clear();
        first_ = end_ = 0;
    }

private:
    std::size_t block_states() const { return std::size_t{1} << shift_; }
    Word* place(std::size_t index) const {
        const std::size_t i = index - first_;
        return reinterpret_cast<Word*>(blocks_[i >> shift_]->data()) + (i & (block_states() - 1)) * words_;
    }
    bool add_block() {
        if (free_.empty()) {
            auto block = std::make_unique<Region>(account_);
            if (!block->ensure_finally(block_states() * words_ * sizeof(Word))) {
                return false;
            }
            free_.push_back(std::move(block));
        }
        blocks_.push_back(std::move(free_.back()));
        free_.pop_back();
        return true;
    }

    static constexpr std::size_t kPageWords = (std::size_t{1} << 16) / sizeof(Word);

    std::size_t words_;
    int shift_; // logarithm of the states of a block: as few as fill whole pages
    MemoryAccount& account_;
    std::deque<std::unique_ptr<Region>> blocks_;
    std::vector<std::unique_ptr<Region>> free_;
    std::size_t first_ = 0; // of the first block
    std::size_t end_ = 0;
};

} // namespace beeline
