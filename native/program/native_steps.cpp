#include "program/native_steps.hpp"

#include "state/hash.hpp"

namespace beeline {

namespace {

// Thrown, through native code, by what it leaves to the engine in the middle of an expansion.
struct LeftToEngine {};

NativeSteps& self(void* space) { return *static_cast<NativeSteps*>(space); }

} // namespace

NativeSteps::NativeSteps(Machine& machine, StepFinder& finder, StepTaker& taker, ArcWriter& arcs, MergedRuns& runs)
    : machine_(machine), finder_(finder), taker_(taker), arcs_(arcs), runs_(runs) {
    context_.arrived = &arcs_.arrived;
    context_.log = &machine_.log.arrays();
    context_.in_place = runs_.in_place() ? 1 : 0;
    context_.space = this;
    context_.grow = [](void* space) { self(space).arcs_.out().grow(); };
    context_.grow_log = [](void* space) { self(space).machine_.log.grow(); };
    context_.narrow = [](void*, std::int32_t cell, std::int32_t value) { throw TooNarrow{cell, value}; };
    context_.fail = [](void* space, std::uint32_t action, std::int32_t error) {
        self(space).machine_.error = static_cast<Error>(error);
        self(space).arcs_.arrive_failed(action);
    };
    context_.run = [](void* space, StepContext* context, std::int32_t block) -> int {
        Machine& machine = self(space).machine_;
        const Machine::Result result = machine.run(block);
        context->value = machine.value;
        if (result == Machine::kFailed) {
            context->error = static_cast<std::int32_t>(machine.error);
        }
        return result;
    };
    context_.synchronise = [](void* space, std::int32_t pid, std::int32_t edge) -> int {
        const auto take = [&taker = self(space).taker_](const Candidate& candidate) {
            taker.take(candidate);
            return true;
        };
        bool go_on = true;
        return self(space).finder_.synchronising(pid, edge, take, go_on);
    };
    context_.hold = [](void* space, const Word* state, std::uint64_t sum) -> int {
        if (self(space).runs_.is_long()) {
            throw LeftToEngine{};
        }
        HeldStates& held = self(space).runs_.held();
        const auto [fresh, position] = held.add(state, finish_hash(sum), 0, true);
        if (!fresh) {
            self(space).arcs_.arrived += held.ways(position);
            return -1;
        }
        return static_cast<std::int32_t>(position);
    };
    context_.pass = [](void* space, std::int32_t position, std::size_t ways) {
        HeldStates& held = self(space).runs_.held();
        if (ways > 0) {
            held.set_ways(static_cast<std::size_t>(position), ways);
        } else {
            held.drop_last();
        }
    };
    context_.leave = [](void*) { throw LeftToEngine{}; };
    use_layout();
}

void NativeSteps::use_layout() {
    context_.cells = machine_.cells.data();
    context_.places = machine_.program->packing.data();
    context_.keys = machine_.program->hash_keys.data();
    context_.words = static_cast<std::uint32_t>(machine_.program->words);
    context_.spare_stride = runs_.stride();
    context_.spare = runs_.middles();
}

bool NativeSteps::expand() {
    SuccessorBuffer& out = arcs_.out();
    const std::size_t arcs = out.size();
    context_.base = arcs_.base.words;
    context_.sum = arcs_.base.sum;
    context_.out = &out.arrays();
    context_.log_mark = 0;
    context_.marks = arcs_.origin_goal ? kGoal : kNone;
    context_.inside = 0;
    context_.depth = 0;
    try {
        code_->expand(context_);
        return true;
    } catch (const LeftToEngine&) {
        machine_.undo(0);
        out.cut(arcs);
        arcs_.arrived = 0;
        arcs_.left = false;
        runs_.clear();
        return false;
    }
}

} // namespace beeline
