// How far steps are from one another: two interfere if one writes what the other reads or writes, the places of
// processes included. The context of a step are those that interfere with it, then those that interfere with these, and
// so on; and likewise the context of the goal, which reads what it speaks of.
//
// After Wehrle and Kupferschmid, "Context-enhanced directed model checking", SPIN 2010.
#pragma once

#include "space/space.hpp"
#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace beeline {

class Contexts {
public:
    // Steps that are further apart than `levels` are as far as `levels`.
    Contexts(std::shared_ptr<const Task> task, std::uint32_t levels, bool of_goal);

    // The level of the context in which a step is: of the last step, which the edge of who began it tells, or of the
    // goal. A step that the task does not have is at the least one.
    std::uint32_t level(std::uint32_t last, const StepParts& step);

private:
    using Levels = std::vector<std::uint8_t>; // by step
    struct Step {
        std::vector<std::int32_t> reads, writes; // cells
    };

    void collect();
    Levels around(std::vector<std::int32_t> reads, std::vector<std::int32_t> writes) const;
    Levels around(std::uint32_t edge) const;
    Levels around_goal() const;

    static std::uint64_t key(const StepParts& step) { return (std::uint64_t{step.first} << 32) | step.second; }

    std::shared_ptr<const Task> task_;
    std::uint32_t levels_;
    bool of_goal_;
    std::vector<Step> steps_;
    std::unordered_map<std::uint64_t, std::int32_t> number_;                // of a step
    std::unordered_map<std::uint32_t, std::vector<std::int32_t>> begun_by_; // steps, by edge
    std::vector<std::vector<std::int32_t>> readers_, writers_;              // steps, by cell
    std::unordered_map<std::uint32_t, Levels> known_;                       // by the edge of the last step
    Levels goal_;
};

} // namespace beeline
