// How many landmarks are missing: sets of facts of which one must become true on every way from the state to the goal,
// found by going back from the goal. Whatever makes a missing landmark true needs certain facts, or one of few values
// of a cell: these are landmarks, too.
//
// Hoffmann, Porteous and Sebastia, Ordered landmarks in planning, JAIR 22, 2004; Richter and Westphal, The LAMA
// planner, JAIR 39, 2010. There, what was true once on the way is remembered. Here only the state counts, and so only
// such orders between landmarks are followed that hold each time one is made true.
#pragma once

#include "heuristic/estimator.hpp"
#include "heuristic/relaxation.hpp"
#include "task/task.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

class LandmarkCount final : public Estimator {
public:
    explicit LandmarkCount(std::shared_ptr<const Task> task);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    // Steps that make a landmark true for which nothing else is missing.
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<LandmarkCount>(task_); }

private:
    using Facts = std::vector<std::int32_t>; // sorted
    struct Landmark {
        Facts facts;                      // one of them must become true
        std::vector<std::int32_t> before; // landmarks that must be true when it becomes so
        Facts makers;                     // operators that can make it true when it is not
    };

    Facts makers_of(const Facts& facts) const;
    // Sets of facts of which each operator needs one.
    std::vector<Facts> needs_of(const Facts& makers) const;
    void add_need(const Facts& makers, std::int32_t cell, std::vector<Facts>& needs) const;
    bool is_true(const Landmark& landmark) const;
    void prefer(const Landmark& landmark);

    std::shared_ptr<const Task> task_;
    Relaxation relaxation_;
    std::vector<Landmark> landmarks_; // the goal first
    std::int32_t last_step_;          // what the cheapest goal costs once all that it needs is true

    // Of the state that is looked at
    std::vector<std::int32_t> facts_;
    std::vector<std::uint32_t> true_stamp_; // by fact
    std::vector<std::uint32_t> met_stamp_;  // by landmark
    std::uint32_t stamp_ = 0;
    std::vector<std::int32_t> waiting_;
    std::vector<std::uint32_t> preferred_;
};

} // namespace beeline
