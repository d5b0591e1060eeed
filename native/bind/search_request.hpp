// A search request as Python makes it, and how it becomes one that the engine understands.
#pragma once

#include "search/request.hpp"

#include <atomic>
#include <nanobind/nanobind.h>
#include <optional>

namespace beeline {

struct Cancellation {
    std::atomic<bool> requested{false};
};

struct PythonRequest {
    std::uint32_t stop = kNone;
    Limits limits;
    nanobind::object progress;
    nanobind::object cancellation; // keeps the flag alive

    // Valid while this object lives. To be called with the interpreter lock held.
    Request native() const;
};

} // namespace beeline
