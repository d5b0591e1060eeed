// What is asked of a search: where to stop, how far it may go, and who wants to hear of its progress.
#pragma once

#include "search/statistics.hpp"
#include "space/space.hpp"
#include "state/memory.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace beeline {

struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    std::size_t memory = std::numeric_limits<std::size_t>::max(); // of the whole process, in bytes
    std::size_t states = std::numeric_limits<std::size_t>::max();
    std::uint32_t depth = std::numeric_limits<std::uint32_t>::max(); // in steps
    std::uint64_t disk = std::numeric_limits<std::uint64_t>::max();  // in bytes

    bool bounds_depth() const { return depth != std::numeric_limits<std::uint32_t>::max(); }
};

struct Request {
    std::uint32_t stop = kGoal | kError | kDeadlock; // the marks at which the search ends; 0 explores everything
    Limits limits;
    std::function<bool(const Statistics&)> observer; // called a few times a second; false interrupts the search
    const std::atomic<bool>* cancelled = nullptr;    // may be set by another thread
    std::size_t threads = 1;                         // for searches that can use more
    std::size_t smallest_layer = 1024; // smaller layers of a breadth-first search are not worth waking others
    // Directed searches that ask for fewer estimates, or for very cheap ones, are not worth it either. 0: whatever they
    // are worth.
    std::size_t smallest_search = 500;
    MemoryAccount* account = nullptr; // of a search beside which this one goes, and which watches the process
};

} // namespace beeline
