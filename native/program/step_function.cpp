#include "program/step_function.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <cstring>

namespace beeline {

StepFunction::StepFunction(const Program& program) : program_(program), plan_(program.plan) {
    const auto cells = program.zero_cell + static_cast<std::int32_t>(plan_.constants.size());
    for (std::int32_t cell = 0; cell < cells; ++cell) {
        sources_.push_back(source_of(cell));
    }
    for (std::size_t edge = 0; edge < plan_.edges.size(); ++edge) {
        pure_.push_back(is_pure(edge));
    }
    // Who may move, and in what order of preference, is the machine's to say.
    const bool preferences = plan_.has_committed || (program.flags & (kPriorities | kChannelPriorities)) != 0;
    is_useful_ = !preferences && !plan_.has_provided && program.monitor_cell < 0 &&
                 (program.flags & (kSeeksLabels | kStuttering)) == 0 && plan_.processes.size() <= 64 &&
                 std::find(pure_.begin(), pure_.end(), 1) != pure_.end();
}

// Scratch memory has no value before something is computed, but for the timeout: what waits for it is left to the
// machine, and it is off elsewhere.
bool StepFunction::is_known(std::int32_t cell) const {
    const auto constants_end = program_.state_cells + static_cast<std::int32_t>(program_.constants.size());
    return cell < constants_end || cell == program_.timeout_cell || cell >= program_.zero_cell;
}

StepFunction::Source StepFunction::source_of(std::int32_t cell) const {
    if (cell < program_.state_cells) {
        const Packing& place = program_.packing[at(cell)];
        return {place.word, place.shift, place.mask, place.low};
    }
    const std::int32_t constant = cell - program_.state_cells;
    if (at(constant) < program_.constants.size()) {
        return {0, 0, 0, program_.constants[at(constant)]};
    }
    return {0, 0, 0, cell >= program_.zero_cell ? plan_.constants[at(cell - program_.zero_cell)] : 0};
}

bool StepFunction::is_pure(std::size_t edge) const {
    const EdgePlan& plan = plan_.edges[edge];
    bool pure = plan.direct && plan.guard < 0 && !plan.terminates && plan.sync == 0;
    for (std::int32_t i = plan.first_test; i < plan.first_test + plan.tests; ++i) {
        pure = pure && is_known(plan_.tests[at(i)].left) && is_known(plan_.tests[at(i)].right);
    }
    for (std::int32_t i = plan.first_change; i < plan.first_change + plan.changes; ++i) {
        const Assignment& one = plan_.assignments[at(i)];
        pure = pure && one.compute < 0 && is_known(one.left) && is_known(one.right) &&
               (one.extent == 0 || is_known(one.index));
    }
    return pure;
}

inline bool StepFunction::holds(const Test& test, const Word* state) const noexcept {
    const std::int32_t cells[] = {sources_[at(test.left)].value(state), sources_[at(test.right)].value(state)};
    return Test{0, 1, test.accepted}.holds(cells);
}

bool StepFunction::guard_holds(const EdgePlan& plan, const Word* state) const noexcept {
    for (std::int32_t i = plan.first_test; i < plan.first_test + plan.tests; ++i) {
        if (!holds(plan_.tests[at(i)], state)) {
            return false;
        }
    }
    return !plan.never;
}

// False if the layout has no bits for the value.
inline bool StepFunction::put(std::int32_t cell, std::int32_t value, Word* target) const noexcept {
    const Packing& place = program_.packing[at(cell)];
    if (!place.holds(value)) {
        return false;
    }
    place.put(target, value);
    return true;
}

// As StepTaker::write_alone does it.
StepFunction::Written StepFunction::write(const EdgePlan& plan, std::int32_t mover, const Word* state, Word* target,
                                          Error& error) const noexcept {
    std::memcpy(target, state, program_.words * sizeof(Word));
    for (std::int32_t i = plan.first_patch; i < plan.first_patch + plan.patches; ++i) {
        const Patch& patch = plan_.patches[at(i)];
        target[patch.word] = (target[patch.word] & patch.keep) | patch.bits;
    }
    for (std::int32_t i = plan.first_change; i < plan.first_change + plan.changes; ++i) {
        const Assignment& one = plan_.assignments[at(i)];
        std::int32_t cell = one.cell;
        if (one.extent != 0) {
            const std::int32_t index = sources_[at(one.index)].value(state);
            if (static_cast<std::uint32_t>(index) >= static_cast<std::uint32_t>(one.extent)) {
                error = Error::Index;
                return Written::kFailed;
            }
            cell += index;
        }
        const std::int32_t operands[] = {sources_[at(one.left)].value(state), sources_[at(one.right)].value(state)};
        Assignment sum = one;
        sum.left = 0;
        sum.right = 1;
        std::int32_t value = sum.value(operands);
        if (!one.is_plain(value)) {
            if (!program_.domains[at(one.domain)].fit(value) || value < program_.low[at(cell)] ||
                value > program_.high[at(cell)]) {
                error = Error::Range;
                return Written::kFailed;
            }
        }
        if (!put(cell, value, target)) {
            return Written::kLeft;
        }
    }
    if (program_.last >= 0 && !put(program_.last, mover, target)) {
        return Written::kLeft;
    }
    for (const auto& row : program_.hidden) {
        if (!put(row[0], row[1], target)) {
            return Written::kLeft;
        }
    }
    return Written::kFine;
}

// As StepTaker::steps_of does it.
StepFunction::Result StepFunction::steps_of(const LocationPlan& here, std::int32_t pid, const Word* state,
                                            std::uint32_t marks, Output& out) const noexcept {
    bool any = false;
    std::int32_t rank = 0;
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const Gate& gate = plan_.gates[at(i)];
        if (any && gate.rank != rank) {
            break;
        }
        if (!is_known(gate.test.left) || !is_known(gate.test.right)) {
            return Result::kLeftToMachine;
        }
        if (!holds(gate.test, state) || (any && (program_.edges[at(i)].flags & kOtherwise) != 0)) {
            continue;
        }
        if (pure_[at(i)] == 0) {
            return Result::kLeftToMachine;
        }
        const EdgePlan& plan = plan_.edges[at(i)];
        if (!guard_holds(plan, state)) {
            continue;
        }
        if (out.size == out.capacity) {
            return Result::kFull;
        }
        rank = gate.rank;
        any = true;
        Word* const target = out.states + out.size * program_.words;
        Error error{};
        const Written done = write(plan, pid, state, target, error);
        if (done == Written::kLeft) {
            return Result::kLeftToMachine;
        }
        out.arcs[out.size] = {static_cast<std::uint32_t>(i), marks, 0};
        if (done == Written::kFailed) { // such an arc has no target: as ProgramSpace, the origin's words
            std::memcpy(target, state, program_.words * sizeof(Word));
            out.arcs[out.size] = {static_cast<std::uint32_t>(i), kError, static_cast<std::uint32_t>(error) + 1};
        }
        ++out.size;
    }
    return Result::kDone;
}

StepFunction::Expansion StepFunction::operator()(const Word* state, bool goal, Output& out) const noexcept {
    const std::size_t before = out.size;
    const bool controlled = program_.control >= 0 && sources_[at(program_.control)].value(state) >= 0;
    if (!is_useful_ || controlled) {
        return {Result::kLeftToMachine};
    }
    bool rests = true;
    std::uint64_t left = 0;
    for (std::size_t pid = 0; pid < plan_.processes.size(); ++pid) {
        const ProcessPlan& process = plan_.processes[pid];
        const std::int32_t first = plan_.first_locations[at(process.row + sources_[at(process.tag)].value(state))];
        if (first < 0) {
            break;
        }
        const LocationPlan& here = plan_.locations[at(first + sources_[at(process.location)].value(state))];
        rests = rests && (here.flags & kEnd) != 0;
        const std::size_t own = out.size;
        const Result result = steps_of(here, static_cast<std::int32_t>(pid), state, goal ? kGoal : kNone, out);
        if (result == Result::kFull) {
            out.size = before;
            return {result};
        }
        if (result == Result::kLeftToMachine) {
            out.size = own;
            left |= std::uint64_t{1} << pid;
        }
    }
    if (out.size == before && (program_.flags & kUsesTimeout) != 0) {
        return {Result::kLeftToMachine}; // it may be that nobody can move without a timeout
    }
    if (out.size > before || left != 0) {
        return {Result::kDone, kNone, left};
    }
    return {Result::kDone, rests ? kNone : kDeadlock};
}

} // namespace beeline
