// Watches over one run: its clock, its memory, its observer. Searches call `pulse` often; it is nearly free.
#pragma once

#include "search/request.hpp"
#include "search/statistics.hpp"
#include "state/memory.hpp"

#include <chrono>

namespace beeline {

class Monitor {
public:
    // `period` is the number of expansions between two looks at the clock.
    Monitor(const Request& request, unsigned period);

    MemoryAccount& memory() { return memory_; }

    // kRunning, or the reason to stop.
    Status pulse(Statistics& statistics) {
        if (countdown_-- != 0) {
            return Status::kRunning;
        }
        countdown_ = period_;
        return look(statistics);
    }
    void measure(Statistics& statistics) const;

private:
    using Clock = std::chrono::steady_clock;

    Status look(Statistics& statistics);
    bool memory_exceeded(double now);

    const Request& request_;
    Clock::time_point start_ = Clock::now();
    unsigned period_;
    unsigned countdown_;
    double next_observation_;
    double next_memory_check_ = 0;
    MemoryAccount memory_;
};

} // namespace beeline
