// Estimates of zones by a heuristic that knows of no clocks: a clock becomes a number that says how many of the upper
// bounds it is compared with lie behind it for certain, in every point of the zone. A program in which guards ask for
// that number allows all that the zone allows, so that what never says too much of its steps says too much of none of
// the zone's either (see beeline.timed.conditions).
#pragma once

#include "heuristic/estimator.hpp"
#include "vm/program.hpp"
#include "zone/packed_zone.hpp"

#include <memory>
#include <vector>

namespace beeline {

class ClockEstimator : public Estimator {
public:
    // A clock, and what it is compared with: upper bounds in ascending order.
    struct Reading {
        std::size_t clock, cell;
        std::vector<zone::Bound> limits;
    };

    // States are those of a zone graph of so many clocks over the program `from`; `inner` is asked about those of `to`,
    // which has the same cells. `actions` tells by action of `to` what it is in `from`, or -1.
    // Throws std::invalid_argument where something does not fit.
    ClockEstimator(std::shared_ptr<const Program> from, std::shared_ptr<const Program> to, std::size_t clocks,
                   std::vector<Reading> readings, std::vector<std::int32_t> actions, std::shared_ptr<Estimator> inner);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return inner_->is_safe(); }
    std::uint32_t cost() const override { return inner_->cost() + 1; }
    const std::vector<std::uint32_t>& preferred() const override { return preferred_; }

private:
    std::shared_ptr<const Program> from_, to_;
    zone::ZonePacker packer_;
    std::vector<Reading> readings_;
    std::vector<std::int32_t> actions_;
    std::shared_ptr<Estimator> inner_;
    std::vector<std::int32_t> cells_;
    std::vector<Word> words_;
    zone::Frame frame_; // the clocks that are read
    std::vector<zone::Bound> zone_;
    std::vector<std::uint32_t> preferred_;
};

} // namespace beeline
