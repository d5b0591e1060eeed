#include "jit/tier.hpp"

#include "jit/source.hpp"

#include <dlfcn.h>
#include <stdexcept>

// Of the run-time library of GCC: what it knows of the function that an address lies in.
struct dwarf_eh_bases {
    void *text, *data, *function;
};
extern "C" const void* _Unwind_Find_FDE(void* address, dwarf_eh_bases* bases);

namespace beeline {

namespace {

// Whether an error of the engine can pass through the code; otherwise it would end the process.
bool lets_errors_pass(const CodeTable& table) {
    dwarf_eh_bases bases{};
    return _Unwind_Find_FDE(reinterpret_cast<char*>(table.expand) + 1, &bases) != nullptr;
}

} // namespace

NativeCode::NativeCode(const std::string& path, const Program& program)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
        throw std::runtime_error("the compiled model cannot be loaded: " + std::string(dlerror()));
    }
    table_ = static_cast<const CodeTable*>(dlsym(handle_, "beeline_code"));
    if (table_ == nullptr || table_->interface != kInterface ||
        static_cast<std::size_t>(table_->locations) != program.locations.size()) {
        dlclose(handle_);
        throw std::runtime_error("the compiled model is one of another program");
    }
    if (!lets_errors_pass(*table_)) {
        dlclose(handle_);
        throw std::runtime_error("the compiler knows no -fexceptions");
    }
}

NativeCode::~NativeCode() { dlclose(handle_); }

std::string Tier::source() const { return native_source(*program_); }

void Tier::load(const std::string& path) {
    auto code = std::make_shared<const NativeCode>(path, *program_);
    const std::lock_guard lock(mutex_);
    code_ = std::move(code);
    ready_.store(true, std::memory_order_release);
}

std::shared_ptr<const NativeCode> Tier::code() const {
    const std::lock_guard lock(mutex_);
    return code_;
}

} // namespace beeline
