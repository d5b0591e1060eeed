// The estimate() of a user's Python class, as a heuristic.
#pragma once

#include "heuristic/estimator.hpp"
#include "space/python_space.hpp"

#include <algorithm>
#include <nanobind/nanobind.h>

namespace beeline {

class PythonEstimator final : public Estimator {
public:
    // `owner` is the Python object of the space, to keep it alive. With `safe`, the user's None is believed.
    PythonEstimator(nanobind::object owner, PythonSpace& space, bool safe)
        : owner_(std::move(owner)), space_(space), safe_(safe) {}
    ~PythonEstimator() override {
        const nanobind::gil_scoped_acquire lock;
        owner_.reset();
    }

    std::int32_t estimate(const Word* state) override {
        const auto value = space_.estimate(*state);
        return value ? static_cast<std::int32_t>(std::min<std::uint32_t>(*value, kDeadEnd - 1)) : kDeadEnd;
    }
    bool is_safe() const override { return safe_; }

private:
    nanobind::object owner_;
    PythonSpace& space_;
    bool safe_;
};

} // namespace beeline
