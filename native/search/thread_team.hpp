// Threads that do the rounds of a parallel search together: the caller is the first of them, the others wait between
// rounds. Whoever waits stays awake for a moment first, where there is a core for everyone: rounds are short, and to be
// woken takes longer than most waiting does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace beeline {

class ThreadTeam {
public:
    // Where the system gives fewer threads, there are fewer.
    explicit ThreadTeam(std::size_t threads);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    std::size_t size() const { return threads_.size() + 1; }
    // Calls job(0), .., job(size - 1), each in its own thread, and returns when all have ended; then throws
    // what one of them threw.
    void run(const std::function<void(std::size_t)>& job);

private:
    static constexpr int kGlances = 4096;

    void serve(std::size_t number);
    void do_job(std::size_t number) noexcept;
    // Returns when the value is no longer this one.
    void await_other(const std::atomic<std::uint32_t>& place, std::uint32_t value) const;

    const std::function<void(std::size_t)>* job_ = nullptr; // none: the end
    std::atomic<std::uint32_t> round_ = 0;
    std::atomic<std::uint32_t> busy_ = 0;
    std::mutex mutex_; // of what was thrown
    std::exception_ptr failure_;
    int glances_; // at a value before sleep
    std::vector<std::thread> threads_;
};

} // namespace beeline
