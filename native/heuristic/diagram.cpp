#include "heuristic/diagram.hpp"

#include <stdexcept>

namespace beeline {
namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void require(bool condition) {
    if (!condition) {
        throw std::invalid_argument("a diagram is malformed");
    }
}

} // namespace

DiagramEstimator::DiagramEstimator(std::shared_ptr<const Program> program, std::vector<Row> rows,
                                   std::vector<std::int32_t> widths, std::int32_t root)
    : program_(std::move(program)), rows_(std::move(rows)), widths_(std::move(widths)), root_(root),
      cells_(at(program_->memory_cells)) {
    require(widths_.size() >= at(program_->state_cells));
    require(root_ < 0 || at(root_) < rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto& [cell, base, bit, low, high] = rows_[i];
        require(cell >= 0 && cell < program_->state_cells);
        require(bit >= 0 && bit < widths_[at(cell)] && widths_[at(cell)] <= 32);
        require(low < 0 || at(low) < i); // so that every way ends
        require(high < 0 || at(high) < i);
    }
}

std::int32_t DiagramEstimator::estimate(const Word* state) {
    program_->unpack(state, cells_.data());
    std::int32_t place = root_;
    while (place >= 0) {
        const auto& [cell, base, bit, low, high] = rows_[at(place)];
        const std::int64_t number = std::int64_t{cells_[at(cell)]} - base;
        if (number < 0 || number >> widths_[at(cell)] != 0) {
            return 0;
        }
        place = (number >> bit & 1) != 0 ? high : low;
    }
    return place == kNoWay ? kDeadEnd : -1 - place;
}

} // namespace beeline
