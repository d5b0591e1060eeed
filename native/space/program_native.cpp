// Steps by native code: taking it over when it is there, and what it asks of the engine.
#include "space/program_space.hpp"

namespace beeline {

void ProgramSpace::set_tier(std::shared_ptr<Tier> tier) {
    tier_ = std::move(tier);
    look_for_code();
}

// For the layout that is in use now.
void ProgramSpace::look_for_code() {
    native_ = nullptr;
    machine_.blocks = nullptr;
    if (tier_ == nullptr) {
        return;
    }
    tier_seen_ = tier_->generation();
    tier_->want(program_);
    native_ = tier_->find(program_.get());
    if (native_ != nullptr) {
        machine_.blocks = native_->blocks();
    }
}

StepContext ProgramSpace::native_context() {
    StepContext context{};
    context.cells = machine_.cells.data();
    context.origin = origin_;
    context.sum = origin_sum_;
    context.out = &out_->arrays();
    context.arrived = &arrived_;
    context.marks = origin_goal_ ? kGoal : kNone;
    context.space = this;
    context.grow = [](void* space) { static_cast<ProgramSpace*>(space)->out_->grow(); };
    context.narrow = [](void*, std::int32_t cell, std::int32_t value) { throw TooNarrow{cell, value}; };
    context.fail = [](void* space, std::int32_t edge, std::int32_t error) {
        auto& self = *static_cast<ProgramSpace*>(space);
        if (error >= 0) { // otherwise the machine knows
            self.machine_.error = static_cast<Error>(error);
        }
        self.arrive_failed(static_cast<std::uint32_t>(edge));
    };
    context.guard = [](void* space, std::int32_t pid, std::int32_t edge) -> int {
        auto& self = *static_cast<ProgramSpace*>(space);
        return self.run_guard(pid, self.plan_->edges[static_cast<std::size_t>(edge)]);
    };
    context.synchronise = [](void* space, std::int32_t pid, std::int32_t edge) -> int {
        auto& self = *static_cast<ProgramSpace*>(space);
        const auto take = [&self](const Candidate& candidate) {
            self.take(candidate);
            return true;
        };
        bool go_on = true;
        return self.synchronising(pid, edge, take, go_on);
    };
    return context;
}

} // namespace beeline
