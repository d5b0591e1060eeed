// Looks for steps: which edges can be taken in the state whose values the machine's cells have, alone or together,
// exactly as beeline.model.semantics defines it.
//
// It changes scratch cells only, and leaves its stacks as it found them; so enumerations can nest, and a step can be
// taken while it is visited, provided that it is taken back before the visit ends.
#pragma once

#include "program/candidate.hpp"
#include "state/stack.hpp"
#include "vm/at.hpp"
#include "vm/machine.hpp"

#include <cstdint>

namespace beeline {

class StepFinder {
public:
    explicit StepFinder(Machine& machine) : machine_(machine) { use_layout(); }

    // After the machine has changed to another layout of the program.
    void use_layout() {
        program_ = machine_.program;
        plan_ = &program_->plan;
        everyone_ = static_cast<std::int32_t>(program_->processes.size());
    }
    // Forgets what an exception left on the stacks.
    void clear();

    // Enumerations. All say whether any candidate was seen.
    // The steps that a process begins.
    bool begun_by(std::int32_t pid, Visit visit);
    // Those of all processes: committed locations first, and of these the highest priority.
    bool preferred(Visit visit);
    // The ways to take an edge whose guard holds; `go_on` becomes false where a visit ended the enumeration.
    bool synchronising(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);

    // What decides in `preferred`: whether a candidate is possible beside a committed location, and its priority.
    bool passes_committed(const Candidate& candidate) const;
    std::int64_t priority(const Candidate& candidate) const;

    // Whether a process begins any step.
    bool can_begin(std::int32_t pid);
    // Whether a process of a higher priority can move, so that this one loses control.
    bool is_outranked(std::int32_t pid);

    // What a candidate refers to, while it is visited.
    const Part* parts(const Candidate& candidate) const { return parts_.data() + candidate.first_part; }
    const std::int32_t* message(const Candidate& candidate) const { return messages_.data() + candidate.message; }

    // Where a process stands, or null if there is none.
    const LocationPlan* place(std::int32_t pid) const {
        const ProcessPlan& process = plan_->processes[at(pid)];
        const std::int32_t* const cells = machine_.cells.data();
        const std::int32_t first = plan_->first_locations[at(process.row + cells[process.tag])];
        return first < 0 ? nullptr : plan_->locations.data() + first + cells[process.location];
    }
    const LocationPlan& location(std::int32_t pid) const { return *place(pid); }
    // How many process numbers there are.
    std::int32_t everyone() const { return everyone_; }
    bool may_begin(std::int32_t pid, const LocationPlan& here) {
        return (here.flags & kDeterministic) != 0 || is_provided(pid);
    }
    // Whether it is the live process with the highest number.
    bool is_highest(std::int32_t pid) const;
    // Whether every process is at a valid place to stop.
    bool rest_at_end() const;
    Machine::Result guard(std::int32_t pid, const EdgePlan& plan) {
        if (plan.guard < 0 && !plan.terminates) {
            return holds(plan) ? Machine::kTrue : Machine::kFalse;
        }
        return run_guard(pid, plan);
    }

    // Notes the cells that are looked at, if the machine is asked to: where a process stands,
    void touch_process(std::int32_t pid) const;
    // and what is looked at to find out what can be done at a location; with `gated`, only where a gate lets through.
    void touch_steps(const LocationPlan& here, bool gated) const;

private:
    bool of_edge(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);
    bool failing(std::size_t first_part, std::size_t message, Visit visit, bool& go_on);

    // Synchronisation
    bool sending(std::int32_t edge, Visit visit, bool& go_on);
    bool with_receiver(Candidate candidate, std::int32_t number, Visit visit, bool& go_on);
    bool with_all_receivers(Candidate candidate, std::int32_t number, Visit visit, bool& go_on);
    template <class Each>
    void each_listener(std::int32_t sender, std::int32_t number, Each&& each);
    bool receiving(std::int32_t edge, Visit visit, bool& go_on);
    bool together(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);
    bool combinations(Candidate candidate, std::size_t first_group, Visit visit, bool& go_on);
    // The channel of an edge, or null with the machine's error set.
    const ChannelPlace* channel_of(const EdgeRow& edge, std::int32_t& number);
    std::int32_t insertion_point(const EdgeRow& edge, const ChannelPlace& channel) const;
    // Push receives of `pid` that match, or its edges with a label, to `choices_`; false if deciding one failed.
    bool listening(std::int32_t pid, std::int32_t number, const Candidate& candidate);
    bool labelled(std::int32_t pid, std::int32_t label);
    bool compute_values(std::int32_t edge);
    bool takes_in_part(const EdgeRow& edge, const ChannelPlace& channel);
    bool push_message(std::int32_t edge, const ChannelPlace& channel);
    bool is_awaited(Candidate candidate, std::int32_t number);
    bool hears(const EdgeRow& edge, const Candidate& candidate) const;

    // Conditions
    const Body& body(std::int32_t pid) const { return *machine_.body(at(pid)); }
    bool is_provided(std::int32_t pid) { return !plan_->has_provided || may_move(pid); }
    bool may_move(std::int32_t pid) { return machine_.run_if_any(body(pid).provided) == Machine::kTrue; }
    // Whether a guard that consists of tests holds.
    bool holds(const EdgePlan& plan) const {
        const Test* const end = plan_->tests.data() + plan.first_test + plan.tests;
        for (const Test* test = end - plan.tests; test != end; ++test) {
            if (!test->holds(machine_.cells.data())) {
                return false;
            }
        }
        return !plan.never;
    }
    Machine::Result run_guard(std::int32_t pid, const EdgePlan& plan);
    void touch_edge(std::int32_t edge) const;
    void touch_guard(std::int32_t edge) const;
    void touch_messages(const ChannelPlace& channel) const;

    bool is_committed(std::int32_t pid) const { return (location(pid).flags & kCommitted) != 0; }
    bool somebody_is_committed() const;

    Machine& machine_;
    const Program* program_;
    const Plan* plan_;
    std::int32_t everyone_;
    Stack<Part> parts_;
    Stack<std::int32_t> messages_;
    Stack<Part> choices_;       // possible partners, ..
    Stack<std::size_t> groups_; // .. where those of each process begin, ..
    Stack<std::size_t> chosen_; // .. and which of them are tried
};

} // namespace beeline
