// The Python module beeline._native: the sum of the parts that registered themselves.
#include "bind/register.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace beeline {
namespace {

using Part = std::pair<BindStage, void (*)(nb::module_&)>;

std::vector<Part>& parts() {
    static std::vector<Part> all;
    return all;
}

} // namespace

BindPart::BindPart(BindStage stage, void (*bind)(nb::module_&)) { parts().emplace_back(stage, bind); }

} // namespace beeline

NB_MODULE(_native, module) {
    module.doc() = "The native engine of Beeline. Use it through beeline.engine.";
    // Python need not free what is alive at its end; a user's global space is no fault to complain of.
    nb::set_leak_warnings(false);
    auto& parts = beeline::parts();
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [stage, bind] : parts) {
        bind(module);
    }
}
