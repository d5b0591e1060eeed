#include "search/monitor.hpp"

namespace beeline {
namespace {

constexpr double kObservationPeriod = 0.2; // seconds
constexpr double kMemoryCheckPeriod = 0.02;
constexpr double kQuick = 0.001; // looks that follow each other sooner may be rarer
constexpr double kSlow = 0.01;

// The limit is one for the whole process: what it holds already is not the engine's to use.
std::size_t engine_budget(std::size_t limit) {
    if (limit == std::numeric_limits<std::size_t>::max()) {
        return limit;
    }
    const std::size_t held = resident_bytes();
    return limit > held ? limit - held : 0;
}

} // namespace

Monitor::Monitor(const Request& request, unsigned period)
    : request_(request), longest_period_(period), next_observation_(kObservationPeriod),
      memory_(engine_budget(request.limits.memory)) {}

void Monitor::measure(Statistics& statistics) const {
    statistics.memory = memory_.peak();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
}

Status Monitor::look(Statistics& statistics) {
    measure(statistics);
    history_.note(statistics);
    const double now = statistics.seconds;
    adapt(now);
    if (request_.cancelled != nullptr && request_.cancelled->load(std::memory_order_relaxed)) {
        return Status::kInterrupted;
    }
    if (now >= request_.limits.seconds) {
        return Status::kTime;
    }
    if (memory_exceeded(now)) {
        return Status::kMemory;
    }
    if (request_.observer && now >= next_observation_) {
        next_observation_ = now + kObservationPeriod;
        return request_.observer(statistics) ? Status::kRunning : Status::kInterrupted;
    }
    return Status::kRunning;
}

void Monitor::adapt(double now) {
    const double passed = now - last_look_;
    last_look_ = now;
    if (passed < kQuick && period_ < longest_period_) {
        period_ *= 2;
    } else if (passed > kSlow && period_ > 1) {
        period_ /= 2;
    }
}

// The account knows the engine's own memory exactly; objects of a user's Python space are only seen from outside.
bool Monitor::memory_exceeded(double now) {
    const std::size_t limit = request_.limits.memory;
    if (limit == std::numeric_limits<std::size_t>::max() || now < next_memory_check_) {
        return false;
    }
    next_memory_check_ = now + kMemoryCheckPeriod;
    return resident_bytes() > limit + limit / 64;
}

} // namespace beeline
