// Watches over one run: its clock, its memory, its observer. Searches call `pulse` often; it is nearly free.
#pragma once

#include "search/history.hpp"
#include "search/request.hpp"
#include "search/statistics.hpp"
#include "state/memory.hpp"

#include <chrono>
#include <cstdint>

namespace beeline {

class Monitor {
public:
    // So many pulses at most go by without a look at the clock. However quick they have been, each of the next ones may
    // take long.
    Monitor(const Request& request, unsigned longest_period);

    MemoryAccount& memory() { return *memory_; }

    // kRunning, or the reason to stop.
    Status pulse(Statistics& statistics) { return countdown_-- != 0 ? Status::kRunning : tick(statistics); }
    void measure(Statistics& statistics) const;
    History& history() { return history_; }

private:
    using Clock = std::chrono::steady_clock;

    Status tick(Statistics& statistics);
    Status look(Statistics& statistics);
    bool memory_exceeded(double now);

    const Request& request_;
    Clock::time_point start_ = Clock::now();
    unsigned longest_period_;
    unsigned period_ = 1; // grows while looks follow one another quickly
    unsigned countdown_ = 0;
    std::int64_t last_tick_ = -1;
    double next_observation_;
    double next_memory_check_ = 0;
    MemoryAccount own_;
    MemoryAccount* memory_;
    History history_;
};

} // namespace beeline
