// What is told of the steps of one process makes up the steps of the state, where nobody goes first.
#include "program/program_space.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

#include <set>
#include <vector>

namespace beeline {
namespace {

using State = std::vector<Word>;

// The target of a step that is told, in packed words.
State target_of(const Program& program, const State& state, const LocalStep& step) {
    State target = state;
    for (const auto& [cell, value] : step.writes) {
        program.packing[static_cast<std::size_t>(cell)].put(target.data(), value);
    }
    return target;
}

std::multiset<State> told(ProgramSpace& space, const State& state) {
    std::multiset<State> targets;
    for (std::size_t pid = 0; pid < space.processes(); ++pid) {
        for (const LocalStep& step : space.local_steps(state.data(), static_cast<std::int32_t>(pid), false).steps) {
            targets.insert((step.marks & kError) != 0 ? State{} : target_of(space.program(), state, step));
        }
    }
    return targets;
}

std::size_t compare(const std::shared_ptr<const Program>& program) {
    constexpr std::size_t kMost = 200;
    ProgramSpace space(program, false);
    ProgramSpace local(program, false);
    SuccessorBuffer found(space.words());
    space.initial(found);
    std::vector<State> states{State(found.state(0), found.state(0) + found.words())};
    std::set<State> seen(states.begin(), states.end());
    for (std::size_t next = 0; next < states.size() && next < kMost; ++next) {
        const State state = states[next];
        found.clear();
        const std::uint32_t marks = space.expand(state.data(), found);
        std::multiset<State> expected;
        for (std::size_t i = 0; i < found.size(); ++i) {
            State target(found.state(i), found.state(i) + found.words());
            const bool failed = (found.arc(i).marks & kError) != 0;
            expected.insert(failed ? State{} : target);
            if (!failed && seen.insert(target).second) {
                states.push_back(std::move(target));
            }
        }
        const std::multiset<State> steps = told(local, state);
        if ((marks & kTransient) == 0 && (program->flags & kUsesTimeout) == 0) {
            CHECK(steps == expected);
        }
    }
    return states.size();
}

} // namespace

TEST(steps_of_one_process_are_told_with_all_that_they_write) {
    std::size_t states = 0;
    for (const char* part : {"promela", "plain"}) {
        for (const std::filesystem::path& file : test::programs(part)) {
            const auto program = test::read_program(file);
            const bool prefers =
                program->plan.has_committed || (program->flags & (kPriorities | kChannelPriorities)) != 0;
            if (!prefers && program->monitor_cell < 0) {
                try {
                    states += compare(program);
                } catch (const TooManyProcesses&) {
                }
            }
        }
    }
    CHECK(std::getenv("BEELINE_PROGRAMS") == nullptr || states > 1000);
}

} // namespace beeline
