#include "tier/tier.hpp"

#include "tier/source.hpp"

#include <chrono>
#include <dlfcn.h>
#include <stdexcept>

namespace beeline {

NativeCode::NativeCode(const std::string& path, std::shared_ptr<const Program> program)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), program_(std::move(program)) {
    if (handle_ == nullptr) {
        throw std::runtime_error("the compiled model cannot be loaded: " + std::string(dlerror()));
    }
    table_ = static_cast<const CodeTable*>(dlsym(handle_, "beeline_code"));
    if (table_ == nullptr || table_->interface != kInterface ||
        static_cast<std::size_t>(table_->locations) != program_->locations.size()) {
        dlclose(handle_);
        throw std::runtime_error("the compiled model is one of another program");
    }
    blocks_.assign(program_->plan.code.size(), nullptr);
    for (std::int32_t i = 0; i < table_->blocks; ++i) {
        blocks_.at(static_cast<std::size_t>(table_->block_positions[i])) = table_->block_functions[i];
    }
}

NativeCode::~NativeCode() { dlclose(handle_); }

void Tier::want(std::shared_ptr<const Program> program) {
    const std::lock_guard lock(mutex_);
    wanted_ = std::move(program);
    changed_.notify_all();
}

std::shared_ptr<const NativeCode> Tier::find(const Program* program) {
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return given_up_ || code_.contains(program); };
    if (insists_) {
        changed_.wait(lock, ready);
    }
    const auto found = code_.find(program);
    return found == code_.end() ? nullptr : found->second;
}

std::optional<std::string> Tier::next_source(double seconds) {
    std::shared_ptr<const Program> program;
    {
        std::unique_lock lock(mutex_);
        const auto is_new = [this] {
            return wanted_ != nullptr && wanted_ != compiling_ && !code_.contains(wanted_.get());
        };
        changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return given_up_ || is_new(); });
        if (given_up_ || !is_new()) {
            return std::nullopt;
        }
        program = compiling_ = wanted_;
    }
    return native_source(*program);
}

void Tier::load(const std::string& path) {
    std::shared_ptr<const Program> program;
    {
        const std::lock_guard lock(mutex_);
        program = compiling_;
    }
    if (program == nullptr) {
        throw std::runtime_error("no source was asked for");
    }
    auto code = std::make_shared<const NativeCode>(path, program);
    const std::lock_guard lock(mutex_);
    code_[program.get()] = std::move(code);
    generation_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
}

void Tier::give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
}

} // namespace beeline
