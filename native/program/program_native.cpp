// Steps by native code: what it is told, and what it asks of the engine.
#include "program/program_space.hpp"

#include "state/hash.hpp"

namespace beeline {

namespace {

// Thrown, through native code, by what it leaves to the engine in the middle of an expansion.
struct LeftToEngine {};

} // namespace

void ProgramSpace::set_up_context() {
    context_.arrived = &arrived_;
    context_.log = &machine_.log.arrays();
    context_.in_place = in_place_ ? 1 : 0;
    context_.space = this;
    context_.grow = [](void* space) { static_cast<ProgramSpace*>(space)->out_->grow(); };
    context_.grow_log = [](void* space) { static_cast<ProgramSpace*>(space)->machine_.log.grow(); };
    context_.narrow = [](void*, std::int32_t cell, std::int32_t value) { throw TooNarrow{cell, value}; };
    context_.fail = [](void* space, std::uint32_t action, std::int32_t error) {
        auto& self = *static_cast<ProgramSpace*>(space);
        self.machine_.error = static_cast<Error>(error);
        self.arrive_failed(action);
    };
    context_.run = [](void* space, StepContext* context, std::int32_t block) -> int {
        Machine& machine = static_cast<ProgramSpace*>(space)->machine_;
        const Machine::Result result = machine.run(block);
        context->value = machine.value;
        if (result == Machine::kFailed) {
            context->error = static_cast<std::int32_t>(machine.error);
        }
        return result;
    };
    context_.synchronise = [](void* space, std::int32_t pid, std::int32_t edge) -> int {
        auto& self = *static_cast<ProgramSpace*>(space);
        const auto take = [&self](const Candidate& candidate) {
            self.take(candidate);
            return true;
        };
        bool go_on = true;
        return self.synchronising(pid, edge, take, go_on);
    };
    context_.hold = [](void* space, const Word* state, std::uint64_t sum) -> int {
        auto& self = *static_cast<ProgramSpace*>(space);
        if (self.held_.size() >= kLongestRun) {
            throw LeftToEngine{};
        }
        const auto [fresh, position] = self.held_.add(state, finish_hash(sum), 0, true);
        if (!fresh) {
            self.arrived_ += self.held_.ways(position);
            return -1;
        }
        return static_cast<std::int32_t>(position);
    };
    context_.pass = [](void* space, std::int32_t position, std::size_t ways) {
        HeldStates& held = static_cast<ProgramSpace*>(space)->held_;
        if (ways > 0) {
            held.set_ways(static_cast<std::size_t>(position), ways);
        } else {
            held.drop_last();
        }
    };
    context_.leave = [](void*) { throw LeftToEngine{}; };
    use_layout_natively();
}

void ProgramSpace::use_layout_natively() {
    context_.cells = machine_.cells.data();
    context_.places = program_->packing.data();
    context_.keys = program_->hash_keys.data();
    context_.words = static_cast<std::uint32_t>(words());
    context_.spare_stride = words() + kSpareWords;
    middles_.resize((kMostNested + 1) * context_.spare_stride);
    context_.spare = middles_.data();
}

// All steps of the loaded state; false if the engine has to find them.
bool ProgramSpace::expand_native() {
    const std::size_t arcs = out_->size();
    context_.base = base_.words;
    context_.sum = base_.sum;
    context_.out = &out_->arrays();
    context_.log_mark = 0;
    context_.marks = origin_goal_ ? kGoal : kNone;
    context_.inside = 0;
    context_.depth = 0;
    try {
        native_->expand(context_);
        return true;
    } catch (const LeftToEngine&) {
        machine_.undo(0);
        out_->cut(arcs);
        arrived_ = 0;
        left_ = false;
        held_.clear(words());
        return false;
    }
}

} // namespace beeline
