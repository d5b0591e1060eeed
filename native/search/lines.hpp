// Lines of states on their way from one rank of a distributed search to another (Melatti and others, Parallel and
// distributed model checking in Eddy, 2006): what leads to a state of another rank is gathered, and sent many at a
// time.
//
// A line is [round, rank that sent it, records..]; a record is [words of the state, info, parent, action]. The info is
// a number of steps (0 where layers tell it) above the marks of the arc; parent and action are the way back.
#pragma once

#include "state/hash.hpp"
#include "state/recent_states.hpp"
#include "state/store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beeline {

// Which rank keeps a state. The hash is scrambled once more: the states of one rank lie anywhere in its table.
inline std::uint32_t owner_of(std::uint64_t hash, std::uint32_t ranks) {
    const std::uint64_t scrambled = fold_multiply(hash ^ 0x9fb21c651e98df25, 0xc2b2ae3d27d4eb4f);
    return static_cast<std::uint32_t>(((scrambled >> 32) * ranks) >> 32);
}

// What a record tells besides the state.
struct Passage {
    std::uint32_t info;
    Index parent; // a state of the rank that sent it
    std::uint32_t action;

    static constexpr std::uint32_t kMarkBits = 8;
    static constexpr std::uint32_t kMostSteps = (std::uint32_t{1} << (32 - kMarkBits)) - 1;

    static std::uint32_t info_of(std::uint32_t marks, std::uint32_t steps = 0) {
        if (steps > kMostSteps) {
            throw std::length_error("a path has more than 16 million steps");
        }
        return (steps << kMarkBits) | (marks & ((1u << kMarkBits) - 1));
    }
    std::uint32_t marks() const { return info & ((1u << kMarkBits) - 1); }
    std::uint32_t steps() const { return info >> kMarkBits; }
};

// A line as it arrived: checked when it is made, and good as long as its words are.
class ReadLine {
public:
    static constexpr std::size_t kHeader = 2;
    static constexpr std::size_t kPassage = 3;

    ReadLine(const Word* data, std::size_t size, std::size_t words)
        : data_(data), words_(words), stride_(words + kPassage) {
        if (size < kHeader || (size - kHeader) % stride_ != 0) {
            throw std::invalid_argument("this is no line of states of this space");
        }
        count_ = (size - kHeader) / stride_;
    }

    std::uint32_t sender() const { return data_[1]; }
    std::size_t size() const { return count_; }
    const Word* state(std::size_t i) const { return data_ + kHeader + i * stride_; }
    Passage passage(std::size_t i) const {
        const Word* rest = state(i) + words_;
        return {rest[0], rest[1], rest[2]};
    }

private:
    const Word* data_;
    std::size_t words_;
    std::size_t stride_;
    std::size_t count_;
};

// The lines that a rank fills, one for each other rank, and those that are full.
class Lines {
public:
    using Line = std::vector<Word>;

    // With `by_steps`, a state that was sent a moment ago is sent again if it is reached in another number of steps.
    Lines(std::size_t words, std::uint32_t rank, std::uint32_t ranks, std::size_t states, bool by_steps)
        : words_(words), rank_(rank), most_(ReadLine::kHeader + states * (words + ReadLine::kPassage)), filling_(ranks),
          record_(words + ReadLine::kPassage) {
        if (states == 0 || rank >= ranks) {
            throw std::invalid_argument("a line has room for one state at least, and a rank has a number below all");
        }
        sent_.reset(words + (by_steps ? 1 : 0));
    }

    // From now on lines belong to this round.
    void set_round(std::uint32_t round) { round_ = round; }

    // Puts a state on its way, unless it went there a moment ago.
    void add(std::uint32_t owner, const Word* state, std::uint64_t hash, const Passage& passage) {
        std::copy_n(state, words_, record_.data());
        record_[words_] = passage.info;
        record_[words_ + 1] = passage.parent;
        record_[words_ + 2] = passage.action;
        if (sent_.meet(record_.data(), hash)) {
            ++filtered_;
            return;
        }
        Line& line = filling_[owner];
        if (line.empty()) {
            line.reserve(most_);
            line.push_back(round_);
            line.push_back(rank_);
        }
        line.insert(line.end(), record_.begin(), record_.end());
        ++added_;
        if (line.size() == most_) {
            full_.emplace_back(owner, std::exchange(line, {}));
        }
    }

    // Lines that are not full are sent as well.
    void flush() {
        for (std::size_t owner = 0; owner < filling_.size(); ++owner) {
            if (!filling_[owner].empty()) {
                full_.emplace_back(static_cast<std::uint32_t>(owner), std::exchange(filling_[owner], {}));
            }
        }
    }

    bool any_full() const { return !full_.empty(); }
    // The line that has waited longest, and to whom it goes.
    std::pair<std::uint32_t, Line> take() {
        auto first = std::move(full_.front());
        full_.pop_front();
        return first;
    }

    std::uint64_t added() const { return added_; }
    std::uint64_t filtered() const { return filtered_; }

private:
    std::size_t words_;
    std::uint32_t rank_;
    std::size_t most_; // words of a full line
    std::vector<Line> filling_;
    std::vector<Word> record_;
    std::deque<std::pair<std::uint32_t, Line>> full_;
    RecentStates sent_;
    std::uint32_t round_ = 0;
    std::uint64_t added_ = 0;
    std::uint64_t filtered_ = 0;
};

} // namespace beeline
