// A space that has seen many states remembers their steps: it must say what one says that has seen none.
#include "program/program_space.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

#include <set>
#include <vector>

namespace beeline {
namespace {

using State = std::vector<Word>;

void check_same_arcs(const SuccessorBuffer& known, const SuccessorBuffer& found) {
    CHECK_EQUAL(known.size(), found.size());
    for (std::size_t i = 0; i < std::min(known.size(), found.size()); ++i) {
        CHECK_EQUAL(known.arc(i).action, found.arc(i).action);
        CHECK_EQUAL(known.arc(i).marks, found.arc(i).marks);
        CHECK_EQUAL(known.arc(i).detail, found.arc(i).detail);
        CHECK(std::equal(known.state(i), known.state(i) + known.words(), found.state(i)));
        CHECK_EQUAL(known.hash(i), found.hash(i));
    }
}

// Compares the steps of the first states, in breadth-first order; returns how many there were.
std::size_t compare(const std::shared_ptr<const Program>& program, bool merged) {
    constexpr std::size_t kMost = 300;
    ProgramSpace space(program, merged);
    SuccessorBuffer known(space.words());
    SuccessorBuffer found(space.words());
    space.initial(known);
    std::vector<State> states{State(known.state(0), known.state(0) + known.words())};
    std::set<State> seen(states.begin(), states.end());
    for (std::size_t next = 0; next < states.size() && next < kMost; ++next) {
        const State state = states[next];
        known.clear();
        found.clear();
        const std::uint32_t marks = space.expand(state.data(), known);
        CHECK_EQUAL(marks, ProgramSpace(program, merged).expand(state.data(), found));
        check_same_arcs(known, found);
        for (std::size_t i = 0; i < found.size(); ++i) {
            State target(found.state(i), found.state(i) + found.words());
            if ((found.arc(i).marks & kError) == 0 && seen.insert(target).second) {
                states.push_back(std::move(target));
            }
        }
    }
    return states.size();
}

} // namespace

TEST(steps_that_are_remembered_are_the_steps_that_there_are) {
    std::size_t states = 0;
    for (const char* part : {"promela", "plain"}) {
        for (const std::filesystem::path& file : test::programs(part)) {
            const auto program = test::read_program(file);
            for (const bool merged : {false, true}) {
                try {
                    states += compare(program, merged);
                } catch (const TooManyProcesses&) {
                }
            }
        }
    }
    CHECK(std::getenv("BEELINE_PROGRAMS") == nullptr || states > 1000);
}

} // namespace beeline
