#include "watch/watchdog.hpp"

#include "state/memory.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace beeline {
namespace {

constexpr int kMemoryLook = 20; // milliseconds
constexpr int kCloserLook = 2;  // once half of the memory is used, since it can be used up quickly
constexpr auto kAskAgain = std::chrono::milliseconds(200);
constexpr auto kToWindUp = std::chrono::seconds(1);
constexpr int kPatienceWithOutput = 200; // milliseconds

std::string reason(Cause cause, const std::string& phase) {
    const char* names[] = {"", "time limit", "memory limit", "interrupted"};
    const std::string name = names[static_cast<int>(cause)];
    return phase.empty() ? name : name + " while " + phase;
}

bool ends_a_command(unsigned char signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP; }

// Nobody may read what is written: that must not keep the process from ending.
void say(int file, const std::string& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        pollfd output{file, POLLOUT, 0};
        if (poll(&output, 1, kPatienceWithOutput) <= 0) {
            return;
        }
        const ssize_t count = write(file, text.data() + written, text.size() - written);
        if (count <= 0) {
            return;
        }
        written += static_cast<std::size_t>(count);
    }
}

} // namespace

Watchdog::Alarm Watchdog::Alarm::of(Bounds bounds) {
    constexpr double kLongest = 1e9; // seconds that every clock can count
    Alarm alarm;
    alarm.memory = bounds.memory;
    if (bounds.seconds < kLongest) {
        const std::chrono::duration<double> seconds(std::max(0.0, bounds.seconds));
        alarm.time = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
    }
    return alarm;
}

Cause Watchdog::Alarm::passed(Clock::time_point now, std::size_t held) const {
    return now >= time ? Cause::kTime : held > memory ? Cause::kMemory : Cause::kNone;
}

bool Watchdog::Alarm::is_set() const { return memory != std::numeric_limits<std::size_t>::max(); }

Watchdog::Watchdog(std::function<void()> ask) : ask_(std::move(ask)) {
    if (pipe(pipe_) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe for signals");
    }
    for (const int end : pipe_) {
        fcntl(end, F_SETFL, O_NONBLOCK);
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    watcher_ = std::thread([this] { watch(); });
    try {
        asker_ = std::thread([this] { keep_asking(); });
    } catch (...) {
        stop();
        throw;
    }
}

void Watchdog::ask_at(Bounds bounds) {
    {
        const std::lock_guard lock(mutex_);
        asks_ = Alarm::of(bounds);
    }
    wake();
}

void Watchdog::end_at(Bounds bounds, double after_signal) {
    {
        const std::lock_guard lock(mutex_);
        ends_ = Alarm::of(bounds);
        after_signal_ = after_signal;
    }
    wake();
}

void Watchdog::set_last_words(LastWords words) {
    const std::lock_guard lock(mutex_);
    words_ = std::move(words);
}

void Watchdog::set_phase(std::string phase) {
    const std::lock_guard lock(mutex_);
    phase_ = std::move(phase);
}

void Watchdog::heard() {
    const std::lock_guard lock(mutex_);
    is_heard_ = true;
    changed_.notify_all();
}

void Watchdog::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }
    wake();
    for (std::thread* thread : {&watcher_, &asker_}) {
        if (thread->joinable()) {
            thread->join();
        }
    }
    for (int& end : pipe_) {
        if (end >= 0) {
            close(std::exchange(end, -1));
        }
    }
}

Cause Watchdog::cause() const {
    const std::lock_guard lock(mutex_);
    return cause_;
}

void Watchdog::wake() {
    const char nothing = 0;
    [[maybe_unused]] const ssize_t count = write(pipe_[1], &nothing, 1); // a full pipe wakes as well
}

void Watchdog::watch() {
    for (;;) {
        int sleep = -1;
        {
            const std::lock_guard lock(mutex_);
            if (is_over_) {
                return;
            }
            look(Clock::now());
            sleep = milliseconds_to_sleep(Clock::now());
        }
        pollfd woken{pipe_[0], POLLIN, 0};
        if (poll(&woken, 1, sleep) > 0) {
            read_signals();
        }
    }
}

void Watchdog::look(Clock::time_point now) {
    const std::size_t held = asks_.is_set() || ends_.is_set() ? resident_bytes() : 0;
    is_close_ = held > std::min(asks_.memory, ends_.memory) / 2;
    if (const Cause cause = ends_.passed(now, held); cause != Cause::kNone) {
        end_process(cause_ == Cause::kNone ? cause : cause_);
    }
    if (cause_ == Cause::kNone && (cause_ = asks_.passed(now, held)) != Cause::kNone) {
        changed_.notify_all();
    }
}

int Watchdog::milliseconds_to_sleep(Clock::time_point now) const {
    const bool asks = cause_ == Cause::kNone;
    const Clock::time_point next = std::min(asks ? asks_.time : Clock::time_point::max(), ends_.time);
    int sleep = asks_.is_set() || ends_.is_set() ? (is_close_ ? kCloserLook : kMemoryLook) : -1;
    if (next != Clock::time_point::max()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - now).count();
        const int wait = static_cast<int>(std::clamp<long long>(left + 1, 0, 60'000));
        sleep = sleep < 0 ? wait : std::min(sleep, wait);
    }
    return sleep;
}

void Watchdog::read_signals() {
    unsigned char numbers[64];
    ssize_t count = 0;
    while ((count = read(pipe_[0], numbers, sizeof numbers)) > 0) {
        const std::lock_guard lock(mutex_);
        const bool came = std::any_of(numbers, numbers + count, ends_a_command);
        if (came && cause_ == Cause::kNone) {
            cause_ = Cause::kSignal; // Python's own handler asks the work to end
            ends_.time = std::min(ends_.time, Alarm::of({after_signal_, 0}).time);
        }
    }
}

// Work that heard has some time to wind up; work that goes on regardless is asked again.
void Watchdog::keep_asking() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || cause_ != Cause::kNone; });
    while (!is_over_ && cause_ != Cause::kSignal) {
        lock.unlock();
        ask_();
        lock.lock();
        if (changed_.wait_for(lock, kAskAgain, [this] { return is_over_ || is_heard_; })) {
            is_heard_ = false;
            changed_.wait_for(lock, kToWindUp, [this] { return is_over_; });
        }
    }
}

void Watchdog::end_process(Cause cause) {
    if (words_.before.empty() && words_.after.empty()) { // the answer is out already
        say(2, "error: " + reason(cause, phase_) + "\n");
    } else {
        say(1, words_.before + reason(cause, phase_) + words_.after);
    }
    _exit(words_.status);
}

} // namespace beeline
