#include "search/crew.hpp"

#include <system_error>

namespace beeline {

Crew::Crew(std::size_t threads) {
    threads_.reserve(threads);
    try {
        for (std::size_t number = 1; number < threads; ++number) {
            threads_.emplace_back([this, number] { serve(number); });
        }
    } catch (const std::system_error&) { // those that are there will do
    }
}

Crew::~Crew() {
    job_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void Crew::run(const std::function<void(std::size_t)>& job) {
    job_ = &job;
    busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    job(0);
    for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;) {
        busy_.wait(left, std::memory_order_acquire);
    }
}

void Crew::serve(std::size_t number) {
    for (std::uint32_t seen = 0;;) {
        round_.wait(seen, std::memory_order_acquire);
        seen = round_.load(std::memory_order_acquire);
        if (job_ == nullptr) {
            return;
        }
        (*job_)(number);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            busy_.notify_one();
        }
    }
}

} // namespace beeline
