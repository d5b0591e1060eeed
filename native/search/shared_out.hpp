// Where states go that some ranks left and another number of ranks takes up.
//
// A state then belongs to another rank and has another number there, by which others name it as their origin. All ranks
// look at the same parts in the same order, first at the states of one group (what is expanded, say) and then at those
// of the next (what waits), so that each of them can tell where every state goes.
#pragma once

#include "state/store.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class SharedOut {
public:
    struct Place {
        std::uint32_t rank;
        Index index;
    };

    SharedOut(std::uint32_t groups, std::uint32_t parts, std::uint32_t ranks)
        : parts_(parts), ranks_(ranks), counts_(std::size_t{groups} * parts * ranks) {}

    // A state of a part and a group goes to this rank.
    void count(std::uint32_t part, std::uint32_t group, std::uint32_t rank) { ++counts_[slot(part, group, rank)]; }

    // When all are counted: its place there, if the states of a part are asked for in their order.
    Place next_place(std::uint32_t part, std::uint32_t group, std::uint32_t rank) {
        if (firsts_.empty()) {
            add_up();
        }
        return {rank, firsts_[slot(part, group, rank)]++};
    }

private:
    std::size_t slot(std::uint32_t part, std::uint32_t group, std::uint32_t rank) const {
        return (std::size_t{group} * parts_ + part) * ranks_ + rank;
    }

    void add_up() {
        firsts_.assign(counts_.size(), 0);
        for (std::size_t i = ranks_; i < counts_.size(); ++i) {
            firsts_[i] = firsts_[i - ranks_] + counts_[i - ranks_];
        }
    }

    std::size_t parts_, ranks_;
    std::vector<Index> counts_, firsts_;
};

} // namespace beeline
