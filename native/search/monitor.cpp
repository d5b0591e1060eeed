#include "search/monitor.hpp"

namespace beeline {
namespace {

constexpr double kObservationPeriod = 0.2; // seconds
constexpr double kMemoryCheckPeriod = 0.02;

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
    : request_(request), period_(period - 1), countdown_(period - 1), next_observation_(kObservationPeriod),
      memory_(engine_budget(request.limits.memory)) {}

void Monitor::measure(Statistics& statistics) const {
    statistics.memory = memory_.peak();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
}

Status Monitor::look(Statistics& statistics) {
    measure(statistics);
    const double now = statistics.seconds;
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
