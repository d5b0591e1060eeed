// The states inside uninterrupted runs that one expansion passed through, in the order in which they were met, each
// once, with the number of ways that lead on from there to the end of the run: where ways meet, the rest is not gone
// through again, but it counts again.
#pragma once

#include "space/space.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace beeline {

class HeldStates {
public:
    void clear(std::size_t words) {
        words_ = words;
        states_.clear();
        entries_.clear();
        if (++round_ == 0) {
            slots_.assign(slots_.size(), {});
            round_ = 1;
        }
    }

    std::size_t size() const { return entries_.size(); }
    const Word* state(std::size_t i) const { return states_.data() + i * words_; }
    // The action that began the run.
    std::uint32_t action(std::size_t i) const { return entries_[i].action; }
    // Whether it was gone through already.
    bool is_done(std::size_t i) const { return entries_[i].done; }
    void put_off(std::size_t i) { entries_[i].done = false; }
    bool all_done() const {
        return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.done; });
    }

    struct Addition {
        bool fresh; // not met before
        std::size_t position;
    };
    Addition add(const Word* state, std::uint64_t hash, std::uint32_t action, bool done) {
        if (2 * size() >= slots_.size()) {
            grow();
        }
        const std::size_t slot = find(state, hash);
        if (slots_[slot].round == round_) {
            return {false, slots_[slot].position};
        }
        slots_[slot] = {round_, static_cast<std::uint32_t>(size())};
        entries_.push_back({hash, 1, action, done});
        states_.insert(states_.end(), state, state + words_);
        return {true, size() - 1};
    }
    // The ways on from a state, one as long as they are not known: a way that goes in circles is told once.
    std::uint64_t ways(std::size_t i) const { return entries_[i].ways; }
    void set_ways(std::size_t i, std::uint64_t ways) { entries_[i].ways = std::min(ways, kMostWays); }
    // Forgets the state that was added last: no other one's way to its slot leads over that of this one.
    void drop_last() {
        const std::size_t slot = find(state(size() - 1), entries_.back().hash);
        slots_[slot].round = round_ - 1;
        entries_.pop_back();
        states_.resize(states_.size() - words_);
    }

private:
    static constexpr std::uint64_t kMostWays = ~std::uint32_t{0}; // so that no sum of them is too large

    struct Entry {
        std::uint64_t hash, ways;
        std::uint32_t action;
        bool done;
    };
    // Filled if it is of this round, so that clearing takes no time.
    struct Slot {
        std::uint32_t round = 0, position = 0;
    };

    // The slot of the state, or the free one where it would be.
    std::size_t find(const Word* wanted, std::uint64_t hash) const {
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot].round == round_) {
            const std::size_t i = slots_[slot].position;
            if (entries_[i].hash == hash && std::memcmp(state(i), wanted, words_ * sizeof(Word)) == 0) {
                break;
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slot;
    }

    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), {});
        for (std::size_t i = 0; i < size(); ++i) {
            slots_[find(state(i), entries_[i].hash)] = {round_, static_cast<std::uint32_t>(i)};
        }
    }

    std::size_t words_ = 0;
    std::vector<Word> states_;
    std::vector<Entry> entries_;
    std::vector<Slot> slots_;
    std::uint32_t round_ = 1;
};

} // namespace beeline
