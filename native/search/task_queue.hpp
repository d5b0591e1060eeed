// A queue of small numbers without locks: one thread puts in, several take out.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace beeline {

class TaskQueue {
public:
    static constexpr std::size_t kCapacity = 1024;

    // Only for the thread that puts in. False if the queue is full.
    bool push(std::uint32_t number) {
        const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - head_.load(std::memory_order_acquire) == kCapacity) {
            return false;
        }
        ring_[tail % kCapacity].store(number, std::memory_order_relaxed);
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

    // False if the queue is empty.
    bool pop(std::uint32_t& number) {
        std::uint64_t head = head_.load(std::memory_order_acquire);
        while (head != tail_.load(std::memory_order_acquire)) {
            // Written over only after the head has moved, and then the exchange fails.
            number = ring_[head % kCapacity].load(std::memory_order_relaxed);
            if (head_.compare_exchange_weak(head, head + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
                return true;
            }
        }
        return false;
    }

private:
    std::array<std::atomic<std::uint32_t>, kCapacity> ring_{};
    alignas(64) std::atomic<std::uint64_t> head_ = 0;
    alignas(64) std::atomic<std::uint64_t> tail_ = 0;
};

} // namespace beeline
