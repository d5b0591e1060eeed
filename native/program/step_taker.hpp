// Takes the steps that a StepFinder finds: what they do to the cells, and who goes on after them.
//
// Most steps are written straight into the packed words of their targets, with the machine left in the state in which
// they begin. The others are taken in the machine, whose log is then written as an arc and undone: after each call the
// machine is in the state in which it was.
#pragma once

#include "program/arc_writer.hpp"
#include "program/step_finder.hpp"

namespace beeline {

class StepTaker {
public:
    StepTaker(Machine& machine, StepFinder& finder, ArcWriter& arcs, MergedRuns& runs)
        : machine_(machine), finder_(finder), arcs_(arcs), runs_(runs) {
        use_layout();
    }

    void use_layout() {
        program_ = machine_.program;
        plan_ = &program_->plan;
    }

    // Writes the arcs of one candidate, while it is visited.
    void take(const Candidate& candidate);
    // Finds and takes all steps that a process begins where it stands; says whether there are any.
    bool steps_of(std::int32_t pid, const LocationPlan& here);
    bool steps_of(std::int32_t pid) {
        const LocationPlan& here = finder_.location(pid);
        return finder_.may_begin(pid, here) && steps_of(pid, here);
    }

private:
    struct Logged;
    struct Direct;
    // Straight into packed words
    bool is_direct(const Candidate& candidate) const;
    void write_direct(const Candidate& candidate);
    void write_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan);
    Direct begin_direct(std::int32_t edge, std::uint32_t second);
    bool move_direct(const EdgePlan& plan, Direct& put);
    void end_direct(std::int32_t mover, Direct& put);
    void fail_direct(std::int32_t edge);
    void finish_direct(std::int32_t mover, Direct& put);
    // In the machine
    bool perform(const Candidate& candidate);
    bool change_location(std::int32_t pid, const EdgePlan& edge);
    void take_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan);
    bool run_on(std::int32_t pid, std::int32_t& last_edge);
    struct Mover {
        std::int32_t pid, last_edge;
    };
    void settle(const Mover& mover, std::uint32_t action, std::uint32_t second);
    bool go_on_alone(std::int32_t pid, std::uint32_t action, std::uint32_t second);
    void touch_assignment(const Assignment& one, std::int32_t cell);
    // In either
    std::uint32_t second_of(const Candidate& candidate) const;
    template <class Put>
    bool transfer_all(const Candidate& candidate, Put& put);
    template <class Put>
    bool transfer(const Candidate& candidate, const Part& part, Put& put);
    template <class Put>
    bool apply(const EffectPlan& effect, Put& put);
    template <class Put>
    bool assign(std::int32_t first, std::int32_t count, Put& put);
    template <class Put>
    void put_message(const Candidate& candidate, Put& put);
    template <class Put>
    void remove_message(const ChannelPlace& channel, std::int32_t position, Put& put);

    Machine& machine_;
    StepFinder& finder_;
    ArcWriter& arcs_;
    MergedRuns& runs_;
    const Program* program_ = nullptr;
    const Plan* plan_ = nullptr;
};

} // namespace beeline
