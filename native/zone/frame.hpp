// The clocks that a matrix of bounds is about. Where most clocks of a network do not matter, a matrix of all would be
// mostly empty: a thousand clocks make four megabytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline::zone {

// Clocks by their place in a matrix, clock 0 at place 0 and the others in ascending order.
class Frame {
public:
    static constexpr std::int32_t kNowhere = -1;

    // Of the first `clocks` clocks, clock 0 among them: room for all, and none taken in but clock 0.
    explicit Frame(std::size_t clocks) : clocks_(1, 0), places_(clocks, kNowhere) { places_[0] = 0; }

    static Frame of_all(std::size_t clocks) {
        Frame all(clocks);
        for (std::size_t clock = 1; clock < clocks; ++clock) {
            all.append(clock);
        }
        return all;
    }

    std::size_t dim() const { return clocks_.size(); }
    std::size_t clock(std::size_t place) const { return clocks_[place]; }
    std::int32_t place(std::size_t clock) const { return places_[clock]; }

    // Leaves clock 0 alone.
    void clear() {
        for (std::size_t place = 1; place < clocks_.size(); ++place) {
            places_[clocks_[place]] = kNowhere;
        }
        clocks_.resize(1);
    }
    // Takes in a clock that is larger than the others.
    void append(std::size_t clock) {
        places_[clock] = static_cast<std::int32_t>(clocks_.size());
        clocks_.push_back(static_cast<std::uint32_t>(clock));
    }

private:
    std::vector<std::uint32_t> clocks_; // by place
    std::vector<std::int32_t> places_;  // by clock
};

} // namespace beeline::zone
