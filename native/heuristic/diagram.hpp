// A heuristic given by a decision diagram over the bits of cells: one way down for each state. Tables come from Python
// (beeline.symbolic.table).
#pragma once

#include "heuristic/estimator.hpp"
#include "vm/program.hpp"

#include <array>
#include <memory>
#include <vector>

namespace beeline {

class DiagramEstimator final : public Estimator {
public:
    // A row is the number of a cell, the value that its bits count from, the bit that is asked for, and where to go if
    // it is 0 and if it is 1: to a row above, or to a value v >= 0, written as -1 - v; `kNoWay` is a dead end. `root`
    // is such a place, too. A value that does not fit into `widths` bits is 0 steps away.
    using Row = std::array<std::int32_t, 5>;
    static constexpr std::int32_t kNoWay = std::numeric_limits<std::int32_t>::min();

    DiagramEstimator(std::shared_ptr<const Program> program, std::vector<Row> rows, std::vector<std::int32_t> widths,
                     std::int32_t root);

    std::int32_t estimate(const Word* state) override;
    bool is_safe() const override { return true; }
    std::uint32_t cost() const override { return 2; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<DiagramEstimator>(*this); }

private:
    std::shared_ptr<const Program> program_;
    std::vector<Row> rows_;
    std::vector<std::int32_t> widths_; // by cell
    std::int32_t root_;
    std::vector<std::int32_t> cells_;
};

} // namespace beeline
