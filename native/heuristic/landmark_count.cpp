#include "heuristic/landmark_count.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace beeline {

namespace {

// Larger sets say little, and a thousand landmarks guide well enough.
constexpr std::size_t kMostFacts = 64, kMostLandmarks = 4096;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void sort_out(std::vector<std::int32_t>& items) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace

LandmarkCount::LandmarkCount(std::shared_ptr<const Task> task) : task_(std::move(task)), relaxation_(task_, false) {
    last_step_ = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t goal : relaxation_.achievers(relaxation_.goal_fact())) {
        last_step_ = std::min(last_step_, relaxation_.cost(goal));
    }
    landmarks_.push_back({{relaxation_.goal_fact()}, {}, {}});
    std::map<Facts, std::int32_t> known;
    for (std::size_t i = 0; i < landmarks_.size(); ++i) {
        landmarks_[i].makers = makers_of(landmarks_[i].facts);
        for (Facts& need : needs_of(landmarks_[i].makers)) {
            const auto [place, is_new] = known.try_emplace(need, static_cast<std::int32_t>(landmarks_.size()));
            if (is_new && landmarks_.size() == kMostLandmarks) {
                known.erase(place);
                continue;
            }
            landmarks_[i].before.push_back(place->second);
            if (is_new) {
                landmarks_.push_back({std::move(need), {}, {}});
            }
        }
    }
    true_stamp_.resize(at(relaxation_.goal_fact()) + 1);
    met_stamp_.resize(landmarks_.size());
}

// What needs one of the facts itself does not come first.
LandmarkCount::Facts LandmarkCount::makers_of(const Facts& facts) const {
    Facts makers;
    for (const std::int32_t fact : facts) {
        for (const std::int32_t op : relaxation_.achievers(fact)) {
            const auto conditions = relaxation_.conditions(op);
            const bool comes_later = std::any_of(conditions.begin(), conditions.end(), [&](std::int32_t condition) {
                return std::binary_search(facts.begin(), facts.end(), condition);
            });
            if (!comes_later) {
                makers.push_back(op);
            }
        }
    }
    sort_out(makers);
    return makers;
}

std::vector<LandmarkCount::Facts> LandmarkCount::needs_of(const Facts& makers) const {
    std::vector<Facts> needs;
    if (makers.empty()) {
        return needs;
    }
    Facts cells;
    for (const std::int32_t fact : relaxation_.conditions(makers.front())) {
        cells.push_back(task_->fact_cell(fact));
    }
    sort_out(cells);
    for (const std::int32_t cell : cells) {
        add_need(makers, cell, needs);
    }
    return needs;
}

// The values of the cell that operators need, if each needs one.
void LandmarkCount::add_need(const Facts& makers, std::int32_t cell, std::vector<Facts>& needs) const {
    Facts need;
    for (const std::int32_t op : makers) {
        bool is_asked = false;
        for (const std::int32_t fact : relaxation_.conditions(op)) {
            if (task_->fact_cell(fact) == cell) {
                need.push_back(fact);
                is_asked = true;
            }
        }
        if (!is_asked) {
            return;
        }
    }
    sort_out(need);
    if (need.size() <= kMostFacts) {
        needs.push_back(std::move(need));
    }
}

std::int32_t LandmarkCount::estimate(const Word* state) {
    relaxation_.facts_of(state, facts_);
    ++stamp_;
    for (const std::int32_t fact : facts_) {
        true_stamp_[at(fact)] = stamp_;
    }
    preferred_.clear();
    waiting_.assign(1, 0);
    met_stamp_[0] = stamp_;
    std::int32_t missing = last_step_ - 1; // the goal itself is in the count
    while (!waiting_.empty()) {
        const Landmark& landmark = landmarks_[at(waiting_.back())];
        waiting_.pop_back();
        ++missing;
        if (landmark.makers.empty()) {
            preferred_.clear();
            return kDeadEnd;
        }
        bool is_next = true;
        for (const std::int32_t other : landmark.before) {
            if (is_true(landmarks_[at(other)])) {
                continue;
            }
            is_next = false;
            if (met_stamp_[at(other)] != stamp_) {
                met_stamp_[at(other)] = stamp_;
                waiting_.push_back(other);
            }
        }
        if (is_next) {
            prefer(landmark);
        }
    }
    return missing;
}

bool LandmarkCount::is_true(const Landmark& landmark) const {
    return std::any_of(landmark.facts.begin(), landmark.facts.end(),
                       [this](std::int32_t fact) { return true_stamp_[at(fact)] == stamp_; });
}

void LandmarkCount::prefer(const Landmark& landmark) {
    for (const std::int32_t op : landmark.makers) {
        const auto conditions = relaxation_.conditions(op);
        const bool is_possible = !relaxation_.is_goal(op) &&
                                 std::all_of(conditions.begin(), conditions.end(),
                                             [this](std::int32_t fact) { return true_stamp_[at(fact)] == stamp_; });
        if (is_possible) {
            preferred_.push_back(task_->operators()[at(relaxation_.source(op))].action);
        }
    }
}

} // namespace beeline
