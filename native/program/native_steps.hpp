// Steps by native code: what it is told, and what it asks of the engine.
#pragma once

#include "jit/tier.hpp"
#include "program/step_taker.hpp"

#include <memory>

namespace beeline {

class NativeSteps {
public:
    NativeSteps(Machine& machine, StepFinder& finder, StepTaker& taker, ArcWriter& arcs, MergedRuns& runs);
    NativeSteps(const NativeSteps&) = delete; // the code calls back where it is
    NativeSteps& operator=(const NativeSteps&) = delete;

    void use_layout();
    // From now on, native code for the program is used where there is some.
    void set_tier(std::shared_ptr<Tier> tier) {
        tier_ = std::move(tier);
        code_ = nullptr;
    }
    const std::shared_ptr<Tier>& tier() const { return tier_; }
    // Looks whether there is code by now.
    void look() {
        if (tier_ != nullptr && code_ == nullptr && tier_->is_ready()) {
            code_ = tier_->code();
        }
    }
    bool is_there() const { return code_ != nullptr; }

    // Writes all steps of the state that the machine is in; false if the engine has to find them.
    bool expand();

private:
    Machine& machine_;
    StepFinder& finder_;
    StepTaker& taker_;
    ArcWriter& arcs_;
    MergedRuns& runs_;
    std::shared_ptr<Tier> tier_;
    std::shared_ptr<const NativeCode> code_;
    StepContext context_{};
};

} // namespace beeline
