// Native code for a model, made while the search is under way.
//
// A Tier stands between the spaces of one search, which look for code now and then, and a thread that has the source
// compiled and loads the result. The code is the same for all layouts of states. The engine knows nothing of compilers.
#pragma once

#include "jit/interface.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace beeline {

// A compiled file, loaded for one program.
class NativeCode {
public:
    // Throws std::runtime_error if the file is none, or not for such a program.
    NativeCode(const std::string& path, const Program& program);
    ~NativeCode();
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;

    void expand(StepContext& context) const { table_->expand(&context); }

private:
    void* handle_;
    const CodeTable* table_ = nullptr;
};

class Tier {
public:
    explicit Tier(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    // For the thread that compiles: C for the program, and taking over what was compiled from it.
    std::string source() const;
    void load(const std::string& path);

    // For spaces: the code, or null, and whether it is worth asking.
    std::shared_ptr<const NativeCode> code() const;
    bool is_ready() const { return ready_.load(std::memory_order_acquire); }

private:
    std::shared_ptr<const Program> program_;
    mutable std::mutex mutex_;
    std::shared_ptr<const NativeCode> code_;
    std::atomic<bool> ready_{false};
};

} // namespace beeline
