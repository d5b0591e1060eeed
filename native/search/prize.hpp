// The shortest violation that searches which race have found so far, known to all of them.
#pragma once

#include "search/outcome.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>

namespace beeline {

class Prize {
public:
    // Of nothing.
    static constexpr std::uint32_t kNoLength = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t length() const { return length_.load(std::memory_order_acquire); }
    bool any() const { return length() != kNoLength; }

    // What search number `by` found counts if nothing was as short.
    void offer(const Outcome& found, std::uint32_t by) {
        const std::uint32_t length = length_of(found.path, found.found);
        const std::lock_guard lock(mutex_);
        if (length >= length_) {
            return;
        }
        best_.found = found.found;
        best_.path = found.path;
        best_.error_action = found.error_action;
        best_.error_detail = found.error_detail;
        first_ = first_ == kNobody ? by : first_;
        length_.store(length, std::memory_order_release);
    }
    template <class Read>
    void read(const Read& read) const {
        const std::lock_guard lock(mutex_);
        read(best_);
    }
    // Who was the first to find anything; to be asked when all have ended.
    std::uint32_t first() const { return first_; }

    // Nothing is shorter than so many steps.
    void prove(std::uint32_t length) { proven_.store(length, std::memory_order_release); }
    bool is_proven() const { return any() && proven_.load(std::memory_order_acquire) == length(); }

private:
    mutable std::mutex mutex_; // of what was found
    Outcome best_;
    std::uint32_t first_ = kNobody;
    std::atomic<std::uint32_t> length_ = kNoLength;
    std::atomic<std::uint32_t> proven_ = kNoLength;
};

} // namespace beeline
