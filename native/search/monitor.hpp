// Watches over one run: its clock, its memory, its observer. Searches call `pulse` often; it is nearly free.
#pragma once

#include "search/history.hpp"
#include "search/request.hpp"
#include "search/statistics.hpp"
#include "state/memory.hpp"

#include <chrono>

namespace beeline {

class Monitor {
public:
    // `period` is the largest number of expansions between two looks at the clock. It begins with one and grows while
    // expansions are quick: some spaces take long over one.
    Monitor(const Request& request, unsigned period);

    MemoryAccount& memory() { return memory_; }

    // kRunning, or the reason to stop.
    Status pulse(Statistics& statistics) {
        if (countdown_-- != 0) {
            return Status::kRunning;
        }
        const Status status = look(statistics);
        countdown_ = period_ - 1;
        return status;
    }
    void measure(Statistics& statistics) const;
    History& history() { return history_; }

private:
    using Clock = std::chrono::steady_clock;

    Status look(Statistics& statistics);
    void adapt(double now);
    bool memory_exceeded(double now);

    const Request& request_;
    Clock::time_point start_ = Clock::now();
    unsigned longest_period_;
    unsigned period_ = 1;
    unsigned countdown_ = 0;
    double last_look_ = 0;
    double next_observation_;
    double next_memory_check_ = 0;
    MemoryAccount memory_;
    History history_;
};

} // namespace beeline
