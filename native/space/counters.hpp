// A space whose counts are known by arithmetic and whose steps cost nothing: what a search can do at best.
#pragma once

#include "space/space.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace beeline {

// Counters that each go from 0 to `top` in steps of one: (top + 1)^n states, n * top * (top + 1)^(n - 1) arcs, depth n
// * top, one deadlock (all at the top). Action i + 1 moves counter i.
class Counters {
public:
    Counters(std::size_t counters, Word top) : counters_(counters), top_(top) {}

    std::unique_ptr<Counters> clone() const { return std::make_unique<Counters>(*this); }
    void follow(const Counters&) {}

    std::size_t words() const { return counters_; }
    void initial(SuccessorBuffer& out) { std::fill_n(out.add(0, kNone), counters_, Word{0}); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        bool stuck = true;
        for (std::size_t i = 0; i < counters_; ++i) {
            if (state[i] < top_) {
                stuck = false;
                Word* target = out.add(static_cast<std::uint32_t>(i + 1), kNone);
                std::memcpy(target, state, counters_ * sizeof(Word));
                ++target[i];
            }
        }
        return stuck ? kDeadlock : kNone;
    }

private:
    std::size_t counters_;
    Word top_;
};

} // namespace beeline
