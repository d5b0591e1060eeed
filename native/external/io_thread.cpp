#include "external/io_thread.hpp"

#include <utility>

namespace beeline {

IoThread::IoThread() : thread_([this] { serve(); }) {}

IoThread::~IoThread() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    asked_.notify_one();
    thread_.join();
}

void IoThread::begin(Task& task, std::function<void()> work) {
    {
        const std::lock_guard lock(mutex_);
        task.work_ = std::move(work);
        task.failure_ = nullptr;
        task.under_way_ = true;
        task.done_ = false;
        tasks_.push_back(&task);
    }
    asked_.notify_one();
}

void IoThread::wait(Task& task) {
    if (!task.under_way_) {
        return;
    }
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&task] { return task.done_; });
    task.under_way_ = false;
    if (task.failure_) {
        std::rethrow_exception(std::exchange(task.failure_, nullptr));
    }
}

void IoThread::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        asked_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
        if (tasks_.empty()) {
            return;
        }
        Task& task = *tasks_.front();
        tasks_.pop_front();
        lock.unlock();
        std::exception_ptr failure;
        try {
            task.work_();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        task.failure_ = failure;
        task.done_ = true;
        answered_.notify_all();
    }
}

} // namespace beeline
