#include "search/monitor.hpp"

#include <algorithm>
#include <ctime>

namespace beeline {
namespace {

constexpr double kObservationPeriod = 0.2; // seconds
constexpr double kMemoryCheckPeriod = 0.02;
// In nanoseconds. Takes a few of them to read, and goes on in steps of some milliseconds.
std::int64_t coarse_clock() {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
#else
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
#endif
}

// The limit is one for the whole process: what it holds already is not the engine's to use.
std::size_t engine_budget(std::size_t limit) {
    if (limit == std::numeric_limits<std::size_t>::max()) {
        return limit;
    }
    const std::size_t held = resident_bytes();
    return limit > held ? limit - held : 0;
}

} // namespace

Monitor::Monitor(const Request& request, unsigned longest_period)
    : request_(request), longest_period_(longest_period), next_observation_(kObservationPeriod),
      own_(engine_budget(request.limits.memory)), memory_(request.account == nullptr ? &own_ : request.account) {}

void Monitor::measure(Statistics& statistics) const {
    statistics.memory = memory_->peak();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
}

Status Monitor::tick(Statistics& statistics) {
    const std::int64_t now = coarse_clock();
    const bool is_later = now != last_tick_;
    period_ = is_later ? 1 : std::min(2 * period_, longest_period_);
    countdown_ = period_ - 1;
    last_tick_ = now;
    if (request_.cancelled != nullptr && request_.cancelled->load(std::memory_order_relaxed)) {
        return Status::kInterrupted;
    }
    return is_later ? look(statistics) : Status::kRunning;
}

Status Monitor::look(Statistics& statistics) {
    measure(statistics);
    history_.note(statistics);
    const double now = statistics.seconds;
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
    if (limit == std::numeric_limits<std::size_t>::max() || memory_ != &own_ || now < next_memory_check_) {
        return false;
    }
    next_memory_check_ = now + kMemoryCheckPeriod;
    return resident_bytes() > limit + limit / 64;
}

} // namespace beeline
