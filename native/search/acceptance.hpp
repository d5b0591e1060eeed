// What a cycle must meet to be a violation: the accepting states of the property and, under fairness, for every process
// a step that it begins or a state in which it can begin none. Who only answers another's handshake begins nothing, as
// in SPIN.
#pragma once

#include "search/descent.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace beeline {

// Bit 0 is the property's, bit 1 + i belongs to process i. Searches keep such sets for each state on their path, so
// they are no larger than what is asked for.
template <std::size_t Words>
class AcceptanceSets {
public:
    static constexpr std::size_t kMost = 32 * Words;

    void add(std::size_t set) { words_[set / 32] |= std::uint32_t{1} << set % 32; }
    bool has(std::size_t set) const { return (words_[set / 32] >> set % 32 & 1) != 0; }
    AcceptanceSets& operator|=(const AcceptanceSets& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] |= other.words_[i];
        }
        return *this;
    }
    AcceptanceSets& operator&=(const AcceptanceSets& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] &= other.words_[i];
        }
        return *this;
    }
    friend AcceptanceSets operator|(AcceptanceSets left, const AcceptanceSets& right) { return left |= right; }
    bool includes(const AcceptanceSets& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if ((other.words_[i] & ~words_[i]) != 0) {
                return false;
            }
        }
        return true;
    }

private:
    std::array<std::uint32_t, Words> words_{};
};

using FewSets = AcceptanceSets<1>;
using ManySets = AcceptanceSets<8>;

enum class Fairness { kNone, kWeak, kStrong };

// Which sets an arc is in: those of its origin (accepting, or a process has no step there), and those of who moves.
template <Space S, class Sets>
class Acceptance {
public:
    Acceptance(const S& space, Fairness fairness) : space_(space) {
        if constexpr (ProcessSpace<S>) {
            processes_ = fairness == Fairness::kNone ? 0 : std::min(space.processes(), Sets::kMost - 1);
        }
        for (std::size_t set = 0; set <= processes_; ++set) {
            all_.add(set);
        }
    }

    std::size_t processes() const { return processes_; }
    const Sets& all() const { return all_; }

    // Of a state with these marks and arcs.
    Sets of_state(std::uint32_t marks, const SuccessorBuffer& arcs) const {
        Sets sets;
        if ((marks & kTransient) != 0) {
            return sets; // whoever must wait for the end of an uninterrupted run is not without a step for that
        }
        if ((marks & kAccept) != 0) {
            sets.add(0);
        }
        if (processes_ > 0) {
            Sets able;
            for (std::size_t i = 0; i < arcs.size(); ++i) {
                able |= mover(arcs.arc(i).action);
            }
            for (std::size_t process = 1; process <= processes_; ++process) {
                if (!able.has(process)) {
                    sets.add(process);
                }
            }
        }
        return sets;
    }
    // Of who begins a step.
    Sets mover(std::uint32_t action) const {
        Sets sets;
        if constexpr (ProcessSpace<S>) {
            const std::int32_t process = processes_ > 0 ? space_.process_of(action) : -1;
            if (process >= 0 && static_cast<std::size_t>(process) < processes_) {
                sets.add(static_cast<std::size_t>(process) + 1);
            }
        }
        return sets;
    }

private:
    const S& space_;
    std::size_t processes_ = 0;
    Sets all_;
};

} // namespace beeline
