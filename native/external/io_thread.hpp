// A thread that reads and writes while another one computes. Whoever has work for it waits when the result is needed.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace beeline {

class IoThread {
public:
    // Something to do. Must stay where it is until it was waited for.
    class Task {
    public:
        bool is_under_way() const { return under_way_; }

    private:
        friend class IoThread;
        std::function<void()> work_;
        std::exception_ptr failure_;
        bool under_way_ = false; // between `begin` and `wait`, for the one who asked
        bool done_ = false;
    };

    IoThread();
    ~IoThread();
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    // Tasks are done in the order in which they were begun.
    void begin(Task& task, std::function<void()> work);
    // Throws what the work threw. Does nothing if there is none under way.
    void wait(Task& task);

private:
    void serve();

    std::mutex mutex_;
    std::condition_variable asked_, answered_;
    std::deque<Task*> tasks_;
    bool ends_ = false;
    std::thread thread_; // the last member: it uses the others
};

} // namespace beeline
