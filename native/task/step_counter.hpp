// Counts the steps of an abstract way. Operators that are the same step of the network have a number in common; a step
// counts once for each layer in which it is needed, however many of its operators are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

class StepCounter {
public:
    // Forgets what was counted; steps have numbers below `steps`.
    void begin(std::size_t steps) {
        ++stamp_;
        counted_.clear();
        stamps_.resize(steps, 0);
        first_.resize(steps, 0);
    }

    // Whether the step was not yet counted in this layer; it is now.
    bool is_new(std::int32_t step, std::int32_t layer) {
        const auto place = static_cast<std::size_t>(step);
        const std::int32_t before = stamps_[place] == stamp_ ? first_[place] : -1;
        for (std::int32_t i = before; i >= 0; i = counted_[static_cast<std::size_t>(i)].next) {
            if (counted_[static_cast<std::size_t>(i)].layer == layer) {
                return false;
            }
        }
        stamps_[place] = stamp_;
        first_[place] = static_cast<std::int32_t>(counted_.size());
        counted_.push_back({layer, before});
        return true;
    }

private:
    // The layers of one step are a list.
    struct Counted {
        std::int32_t layer;
        std::int32_t next;
    };
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> stamps_;
    std::vector<std::int32_t> first_;
    std::vector<Counted> counted_;
};

} // namespace beeline
