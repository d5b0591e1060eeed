// Which operators go when a transition is taken away: what the paper on useless transitions calls the reduced system,
// in its conservative form.
//
// Wehrle, Kupferschmid and Podelski, Transition-based directed model checking, TACAS 2009, section 5.
#pragma once

#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace beeline {

class Removal {
public:
    explicit Removal(std::shared_ptr<const Task> task);

    // By operator (goals follow, and never go): 1 if it does not exist without the edges behind an arc.
    const std::vector<std::uint8_t>& without(std::uint32_t action, std::uint32_t detail);

private:
    void remove_edge(std::uint32_t edge, std::vector<std::uint8_t>& removed) const;

    std::shared_ptr<const Task> task_;
    std::vector<std::uint8_t> is_location_; // by cell: where a process is, or whether it lives
    std::vector<std::vector<std::int32_t>> achievers_;
    std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> known_;
};

} // namespace beeline
