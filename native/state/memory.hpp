// The memory budget of a run: exact accounts of what the engine maps, and what the whole process holds.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace beeline {

// Bytes of physical memory that this process holds now; 0 where the system does not tell.
std::size_t resident_bytes();

// Has the allocator return what it keeps for later, where it knows how to.
void give_back_free_memory();

// Counts bytes against a limit. Whoever maps memory asks first, so that the limit is never passed. Threads may ask at
// the same time.
class MemoryAccount {
public:
    explicit MemoryAccount(std::size_t limit = std::numeric_limits<std::size_t>::max()) : limit_(limit) {}
    MemoryAccount(const MemoryAccount&) = delete;
    MemoryAccount& operator=(const MemoryAccount&) = delete;

    bool take(std::size_t bytes) {
        std::size_t before = used();
        do {
            if (bytes > limit_ - before) {
                return false;
            }
        } while (!used_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
        std::size_t peak = this->peak();
        while (peak < before + bytes && !peak_.compare_exchange_weak(peak, before + bytes, std::memory_order_relaxed)) {
        }
        return true;
    }
    void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    std::size_t available() const { return limit_ - used(); }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    std::size_t peak() const { return peak_.load(std::memory_order_relaxed); }
    std::size_t limit() const { return limit_; }

private:
    std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
    std::atomic<std::size_t> peak_ = 0;
};

} // namespace beeline
