// The pure step function gives the steps of ProgramSpace, process by process, or leaves them to it.
#include "program/program_space.hpp"
#include "program/step_function.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

#include <bit>
#include <set>
#include <vector>

namespace beeline {
namespace {

using State = std::vector<Word>;

constexpr std::size_t kMostArcs = 256;

struct Seen {
    std::size_t done = 0, left = 0; // processes in states
    std::size_t whole = 0;          // states of which nothing is left
};

class Comparison {
public:
    explicit Comparison(const ProgramSpace& space)
        : space_(space), step_(space.program()), states_(kMostArcs * space.words()), arcs_(kMostArcs),
          words_(space.words()) {}

    // `expected` and `marks` are the arcs and marks of a state whose processes are `live`.
    void check(const Word* state, bool goal, const SuccessorBuffer& expected, std::uint32_t marks, std::size_t live,
               Seen& seen) {
        StepFunction::Output out{states_.data(), arcs_.data(), kMostArcs};
        const StepFunction::Expansion found = step_(state, goal, out);
        if (found.result != StepFunction::Result::kDone) {
            CHECK_EQUAL(out.size, 0u);
            seen.left += live;
            return;
        }
        const auto left = static_cast<std::size_t>(std::popcount(found.left));
        CHECK(left <= live);
        seen.left += left;
        seen.done += live - left;
        seen.whole += found.left == 0;
        if (found.left == 0) {
            CHECK_EQUAL(found.marks, marks);
        }
        check_room(state, goal, out.size);
        std::size_t next = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::int32_t pid = space_.process_of(expected.arc(i).action);
            if ((found.left >> pid & 1) == 0) {
                CHECK(next < out.size);
                check_arc(next++, expected, i);
            }
        }
        CHECK_EQUAL(next, out.size);
    }

private:
    void check_arc(std::size_t own, const SuccessorBuffer& expected, std::size_t i) const {
        CHECK_EQUAL(arcs_[own].action, expected.arc(i).action);
        CHECK_EQUAL(arcs_[own].marks, expected.arc(i).marks);
        CHECK_EQUAL(arcs_[own].detail, expected.arc(i).detail);
        CHECK(std::equal(expected.state(i), expected.state(i) + words_, states_.data() + own * words_));
    }

    // Without room for all arcs, none is written.
    void check_room(const Word* state, bool goal, std::size_t arcs) {
        if (arcs > 0) {
            std::vector<Word> states((arcs - 1) * words_);
            std::vector<SuccessorBuffer::Arc> few(arcs - 1);
            StepFunction::Output out{states.data(), few.data(), arcs - 1};
            CHECK(step_(state, goal, out).result == StepFunction::Result::kFull);
            CHECK_EQUAL(out.size, 0u);
        }
    }

    const ProgramSpace& space_;
    StepFunction step_;
    std::vector<Word> states_;
    std::vector<SuccessorBuffer::Arc> arcs_;
    std::size_t words_;
};

// The first states of a program, in breadth-first order, in the full layout.
void compare(const std::shared_ptr<const Program>& program, Seen& seen) {
    constexpr std::size_t kMost = 400;
    ProgramSpace space(program, false);
    Comparison comparison(space);
    std::vector<std::int32_t> cells(program->initial);
    SuccessorBuffer arcs(space.words());
    space.initial(arcs);
    std::vector<State> states{State(arcs.state(0), arcs.state(0) + arcs.words())};
    std::vector<bool> goals{(arcs.arc(0).marks & kGoal) != 0};
    std::set<State> met(states.begin(), states.end());
    for (std::size_t next = 0; next < states.size() && next < kMost; ++next) {
        const State state = states[next];
        arcs.clear();
        const std::uint32_t marks = space.expand(state.data(), arcs);
        program->unpack(state.data(), cells.data());
        std::size_t live = 0;
        while (live < program->processes.size() && cells[static_cast<std::size_t>(program->processes[live].tag)] > 0) {
            ++live;
        }
        comparison.check(state.data(), goals[next], arcs, marks, live, seen);
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            State target(arcs.state(i), arcs.state(i) + arcs.words());
            if ((arcs.arc(i).marks & kError) == 0 && met.insert(target).second) {
                states.push_back(std::move(target));
                goals.push_back((arcs.arc(i).marks & kGoal) != 0);
            }
        }
    }
}

} // namespace

TEST(the_pure_step_function_gives_the_steps_of_a_program_or_leaves_the_state) {
    Seen seen;
    for (const char* part : {"promela", "plain"}) {
        for (const std::filesystem::path& file : test::programs(part)) {
            try {
                compare(test::read_program(file), seen);
            } catch (const TooManyProcesses&) {
            }
        }
    }
    std::cerr << "    " << seen.done << " processes by the function, " << seen.left << " left to the machine; "
              << seen.whole << " whole states\n";
    CHECK(std::getenv("BEELINE_PROGRAMS") == nullptr || (seen.done > 2000 && seen.whole > 100));
}

} // namespace beeline
