// How long tables may be built, and whether somebody wants that to end.
#pragma once

#include <chrono>
#include <functional>

namespace beeline {

class Patience {
public:
    using Clock = std::chrono::steady_clock;

    Patience() = default; // without end
    // `look` is called now and then; what it throws ends the build.
    Patience(double seconds, std::function<void()> look) : seconds_(seconds), look_(std::move(look)) {}

    // Whether the time is up. Asked between two compositions, each of which is bounded by its moves.
    bool is_over() {
        const Clock::time_point now = Clock::now();
        if (look_ && now >= next_look_) {
            next_look_ = now + std::chrono::milliseconds(50);
            look_();
        }
        return seconds_ >= 0 && std::chrono::duration<double>(now - start_).count() >= seconds_;
    }

private:
    double seconds_ = -1; // negative: no limit
    std::function<void()> look_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_look_ = start_;
};

} // namespace beeline
