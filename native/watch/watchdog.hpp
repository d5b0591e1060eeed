// Watches over work of any kind, from reading a model to the last report: a thread of its own looks at the clock, at
// the memory of the process and for signals. It asks the work to end; a command that does not hear is ended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

namespace beeline {

// Which bound was passed first.
enum class Cause { kNone, kTime, kMemory, kSignal };

struct Bounds {
    double seconds = std::numeric_limits<double>::infinity(); // from the moment they are set
    std::size_t memory = std::numeric_limits<std::size_t>::max();
};

// What a process says on standard output when it is ended, around the reason, and the status that it leaves with.
struct LastWords {
    std::string before;
    std::string after;
    int status = 0;
};

class Watchdog {
public:
    // `ask` is called by a thread that may wait in it, again and again until it is heard.
    explicit Watchdog(std::function<void()> ask);
    ~Watchdog() { stop(); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    // Bounds at which the work is asked to end.
    void ask_at(Bounds bounds);
    // Bounds at which the process is ended; it is, too, some seconds after a signal came.
    void end_at(Bounds bounds, double after_signal);
    void set_last_words(LastWords words);
    // What the work is doing, for the reason that is given.
    void set_phase(std::string phase);

    void heard(); // nothing is asked for a while
    void stop();  // no thread is left

    Cause cause() const;
    // Whoever handles signals writes their numbers here (`signal.set_wakeup_fd`).
    int signals() const { return pipe_[1]; }

private:
    using Clock = std::chrono::steady_clock;

    struct Alarm {
        Clock::time_point time = Clock::time_point::max();
        std::size_t memory = std::numeric_limits<std::size_t>::max();

        static Alarm of(Bounds bounds);
        Cause passed(Clock::time_point now, std::size_t held) const;
        bool is_set() const;
    };

    void watch();
    void look(Clock::time_point now);
    int milliseconds_to_sleep(Clock::time_point now) const;
    void read_signals();
    void keep_asking();
    void end_process(Cause cause);
    void wake();

    std::function<void()> ask_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool is_close_ = false; // to the bound of memory
    Alarm asks_;
    Alarm ends_;
    double after_signal_ = std::numeric_limits<double>::infinity();
    LastWords words_;
    std::string phase_;
    Cause cause_ = Cause::kNone;
    bool is_heard_ = false;
    bool is_over_ = false;
    int pipe_[2] = {-1, -1};
    std::thread asker_;
    std::thread watcher_;
};

} // namespace beeline
