// The number of processes that could take part in a step: a state in which it is 0 is a deadlock, or rests (Edelkamp,
// Leue and Lluch-Lafuente, "Directed explicit-state model checking in the validation of communication protocols", STTT
// 5, 2004).
#pragma once

#include "heuristic/estimator.hpp"
#include "program/program_space.hpp"

#include <memory>

namespace beeline {

class ActiveEstimator final : public Estimator {
public:
    explicit ActiveEstimator(std::shared_ptr<const Program> program)
        : program_(std::move(program)), space_(program_, false) {}

    std::int32_t estimate(const Word* state) override { return space_.active(state); }
    bool is_safe() const override { return true; }
    std::uint32_t cost() const override { return 4; }
    bool can_clone() const override { return true; }
    std::shared_ptr<Estimator> clone() const override { return std::make_shared<ActiveEstimator>(program_); }

private:
    std::shared_ptr<const Program> program_;
    ProgramSpace space_;
};

} // namespace beeline
