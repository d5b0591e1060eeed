// How long, and in how much memory, something may be built that a search is to be guided by, and whether somebody wants
// that to end.
#pragma once

#include "state/memory.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace beeline {

class Allowance {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kAnyMemory = std::numeric_limits<std::size_t>::max();

    Allowance() = default; // without end
    // Negative seconds are any number; memory is that of the whole process. `look` is called now and then; what it
    // throws ends the work.
    Allowance(double seconds, std::size_t memory, std::function<void()> look)
        : seconds_(seconds), memory_(memory), look_(std::move(look)) {}

    // Whether what is built must do with what there is.
    bool is_over() {
        const Clock::time_point now = look();
        return short_of_memory_ || (seconds_ >= 0 && std::chrono::duration<double>(now - start_).count() >= seconds_);
    }
    // For work that cannot be left half done. Quick enough to be called for every operator.
    Clock::time_point look() {
        const Clock::time_point now = Clock::now();
        if (now >= next_look_) {
            next_look_ = now + std::chrono::milliseconds(50);
            short_of_memory_ = memory_ != kAnyMemory && resident_bytes() > memory_;
            if (look_) {
                look_();
            }
        }
        return now;
    }

private:
    double seconds_ = -1;
    std::size_t memory_ = kAnyMemory;
    std::function<void()> look_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_look_ = start_;
    bool short_of_memory_ = false;
};

} // namespace beeline
