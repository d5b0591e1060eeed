// Native code for a model, made while the search is under way.
//
// A Tier stands between the spaces of one search, which tell what layout they use and look for code that fits it, and
// a thread that has the source compiled and loads the result. The engine knows nothing of compilers.
#pragma once

#include "tier/interface.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace beeline {

// A compiled file, loaded for one program in one layout.
class NativeCode {
public:
    // Throws std::runtime_error if the file is none, or not for such a program.
    NativeCode(const std::string& path, std::shared_ptr<const Program> program);
    ~NativeCode();
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;

    const StepFunction* steps() const { return table_->steps; }
    const Machine::BlockFunction* blocks() const { return blocks_.data(); }

private:
    void* handle_;
    const CodeTable* table_ = nullptr;
    std::shared_ptr<const Program> program_;     // lives as long as code that is found by its address
    std::vector<Machine::BlockFunction> blocks_; // by position in the plan's code
};

class Tier {
public:
    // One that `insists` has spaces wait for their code.
    explicit Tier(bool insists) : insists_(insists) {}

    // For spaces. `generation` changes when there may be something new.
    void want(std::shared_ptr<const Program> program);
    std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }
    std::shared_ptr<const NativeCode> find(const Program* program);

    // For the thread that compiles: the source for the layout that was wanted last, once for each layout. Waits for one
    // so many seconds.
    std::optional<std::string> next_source(double seconds);
    // Loads what was compiled from that source.
    void load(const std::string& path);
    // There will be no more code.
    void give_up();

private:
    const bool insists_;
    std::atomic<std::uint32_t> generation_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<const Program> wanted_, compiling_;
    std::unordered_map<const Program*, std::shared_ptr<const NativeCode>> code_;
    bool given_up_ = false;
};

} // namespace beeline
