// A search request as Python makes it, and how it becomes one that the engine understands.
#pragma once

#include "search/request.hpp"

#include <atomic>
#include <nanobind/nanobind.h>
#include <optional>

namespace beeline {

// The word for a way to end, as Python knows it.
const char* status_name(Status status);

struct Cancellation {
    std::atomic<bool> requested{false};
};

struct PythonRequest {
    std::uint32_t stop = kNone;
    Limits limits;
    nanobind::object progress;
    nanobind::object cancellation; // keeps the flag alive
    std::size_t threads = 1;
    std::size_t smallest_layer = Request{}.smallest_layer;
    std::size_t smallest_search = Request{}.smallest_search;

    // Valid while this object lives. To be called with the interpreter lock held.
    Request native() const;
};

} // namespace beeline
