#include "heuristic/clock_estimator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace beeline {

ClockEstimator::ClockEstimator(std::shared_ptr<const Program> from, std::shared_ptr<const Program> to,
                               std::size_t clocks, std::vector<Reading> readings, std::vector<std::int32_t> actions,
                               std::shared_ptr<Estimator> inner)
    : from_(std::move(from)), to_(std::move(to)), packer_(clocks + 1), readings_(std::move(readings)),
      actions_(std::move(actions)), inner_(std::move(inner)), cells_(to_->initial), words_(to_->words),
      frame_(clocks + 1) {
    if (from_->state_cells != to_->state_cells) {
        throw std::invalid_argument("the program with conditions has other cells");
    }
    for (const Reading& reading : readings_) {
        if (reading.clock == 0 || reading.clock > clocks ||
            static_cast<std::int32_t>(reading.cell) >= to_->state_cells ||
            static_cast<std::int32_t>(reading.limits.size()) > to_->high[reading.cell] ||
            !std::is_sorted(reading.limits.begin(), reading.limits.end())) {
            throw std::invalid_argument("a clock's limits do not fit the program with conditions");
        }
        if (frame_.dim() > 1 && reading.clock <= frame_.clock(frame_.dim() - 1)) {
            throw std::invalid_argument("clocks are read in their order");
        }
        frame_.append(reading.clock);
    }
    zone_.resize(frame_.dim() * frame_.dim());
}

std::int32_t ClockEstimator::estimate(const Word* state) {
    from_->unpack(state, cells_.data());
    packer_.unpack(state + from_->words, frame_, zone_.data());
    for (const Reading& reading : readings_) {
        const zone::Bound below = zone_[static_cast<std::size_t>(frame_.place(reading.clock))];
        std::int32_t behind = 0;
        for (const zone::Bound limit : reading.limits) {
            behind += zone::add_finite(below, limit) < zone::kLeZero;
        }
        cells_[reading.cell] = behind;
    }
    to_->pack(cells_.data(), words_.data());
    const std::int32_t value = inner_->estimate(words_.data());
    preferred_.clear();
    for (const std::uint32_t action : inner_->preferred()) {
        if (action < actions_.size() && actions_[action] >= 0) {
            preferred_.push_back(static_cast<std::uint32_t>(actions_[action]));
        }
    }
    return value;
}

} // namespace beeline
