// What a cycle must meet to be a violation: an accepting state, or an arc of each acceptance set, and under fairness
// for every process a step that it begins or a state in which it can begin none. Who only answers another's handshake
// begins nothing, as in SPIN.
#pragma once

#include "search/descent.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace beeline {

// The property's sets, one at least, and behind them one for each process. Searches keep such sets for each state on
// their path, so they are no larger than what is asked for.
template <std::size_t Words>
class AcceptanceSets {
public:
    static constexpr std::size_t kMost = 32 * Words;

    void add(std::size_t set) { words_[set / 32] |= std::uint32_t{1} << set % 32; }
    // Those with a bit in a mask.
    void add_first(std::uint32_t mask) { words_[0] |= mask; }
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

// Which sets an arc is in: those of its origin (accepting, or a process has no step there), those that the property's
// automaton puts it in, and that of who moves.
template <Space S, class Sets>
class Acceptance {
public:
    Acceptance(const S& space, Fairness fairness)
        : space_(space), by_arcs_(acceptance_sets(space) > 0),
          first_process_(std::max<std::size_t>(1, acceptance_sets(space))) {
        if constexpr (ProcessSpace<S>) {
            processes_ = fairness == Fairness::kNone ? 0 : std::min(space.processes(), Sets::kMost - first_process_);
        }
        for (std::size_t set = 0; set < first_process_; ++set) {
            property_.add(set);
        }
        all_ = property_;
        for (std::size_t process = 0; process < processes_; ++process) {
            all_.add(of_process(process));
        }
    }

    std::size_t processes() const { return processes_; }
    std::size_t of_process(std::size_t process) const { return first_process_ + process; }
    const Sets& property() const { return property_; }
    const Sets& all() const { return all_; }

    // Of a state with these marks and arcs.
    Sets of_state(std::uint32_t marks, const SuccessorBuffer& arcs) const {
        Sets sets;
        if ((marks & kTransient) != 0) {
            return sets; // whoever must wait for the end of an uninterrupted run is not without a step for that
        }
        if (!by_arcs_ && (marks & kAccept) != 0) {
            sets.add(0);
        }
        if (processes_ > 0) {
            Sets able;
            for (std::size_t i = 0; i < arcs.size(); ++i) {
                add_mover(arcs.arc(i).action, able);
            }
            for (std::size_t process = 0; process < processes_; ++process) {
                if (!able.has(of_process(process))) {
                    sets.add(of_process(process));
                }
            }
        }
        return sets;
    }
    // Of a step, by its action and its marks.
    Sets of_step(std::uint32_t action, std::uint32_t marks) const {
        Sets sets;
        if (by_arcs_) {
            sets.add_first(marks >> kFirstSet);
        }
        add_mover(action, sets);
        return sets;
    }

private:
    void add_mover(std::uint32_t action, Sets& sets) const {
        if constexpr (ProcessSpace<S>) {
            const std::int32_t process = processes_ > 0 ? space_.process_of(action) : -1;
            if (process >= 0 && static_cast<std::size_t>(process) < processes_) {
                sets.add(of_process(static_cast<std::size_t>(process)));
            }
        }
    }

    const S& space_;
    bool by_arcs_; // and not by states
    std::size_t first_process_;
    std::size_t processes_ = 0;
    Sets property_, all_;
};

} // namespace beeline
