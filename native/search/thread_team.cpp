#include "search/thread_team.hpp"

#include <system_error>
#include <utility>

namespace beeline {

namespace {

// Leaves the core's resources to others for some cycles.
void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

ThreadTeam::ThreadTeam(std::size_t threads) : glances_(threads <= std::thread::hardware_concurrency() ? kGlances : 0) {
    threads_.reserve(threads);
    try {
        for (std::size_t number = 1; number < threads; ++number) {
            threads_.emplace_back([this, number] { serve(number); });
        }
    } catch (const std::system_error&) { // those that are there will do
    }
}

ThreadTeam::~ThreadTeam() {
    job_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void ThreadTeam::await_other(const std::atomic<std::uint32_t>& place, std::uint32_t value) const {
    for (int i = 0; i < glances_ && place.load(std::memory_order_acquire) == value; ++i) {
        pause();
    }
    place.wait(value, std::memory_order_acquire);
}

void ThreadTeam::run(const std::function<void(std::size_t)>& job) {
    job_ = &job;
    busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    do_job(0);
    for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;) {
        await_other(busy_, left);
    }
    if (failure_ != nullptr) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void ThreadTeam::do_job(std::size_t number) noexcept {
    try {
        (*job_)(number);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
    }
}

void ThreadTeam::serve(std::size_t number) {
    for (std::uint32_t seen = 0;;) {
        await_other(round_, seen);
        seen = round_.load(std::memory_order_acquire);
        if (job_ == nullptr) {
            return;
        }
        do_job(number);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            busy_.notify_one();
        }
    }
}

} // namespace beeline
