// Zone graphs of whole models, searched natively: what the sanitizers look at.
#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/inevitable.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "zone/timed_space.hpp"

#include <algorithm>
#include <functional>

namespace {

using namespace beeline;

TimedSpace read_space(const std::filesystem::path& file) {
    std::ifstream in(file);
    auto program = std::make_shared<const Program>(test::read_tables(in));
    auto clocks = std::make_shared<const ClockTables>(test::read_tables(in), *program);
    return TimedSpace(std::move(program), std::move(clocks));
}

} // namespace

TEST(timed_space_of_every_model_is_searched_to_the_same_end_by_breadth_and_depth) {
    for (const std::filesystem::path& file : test::programs("timed")) {
        TimedSpace space = read_space(file);
        Request request;
        request.stop = kGoal | kError;
        request.limits.states = 5000;
        const Outcome breadth = run_search<BreadthFirst>(space, request);
        const Outcome depth = run_search<DepthFirst>(space, request, std::optional<std::uint64_t>{});
        CHECK(breadth.statistics.stored > 0);
        CHECK(breadth.status == Status::kStates || depth.status == Status::kStates || breadth.status == depth.status);
        SuccessorBuffer buffer(space.words());
        for (std::size_t i = 0; i < breadth.path.size(); ++i) {
            const Word* state = breadth.path.state(i);
            space.check_state(state);
            buffer.clear();
            space.expand(state, buffer);
            space.parts_by_deadlock(state, true);
        }
    }
}

TEST(runs_that_avoid_something_come_back_or_stay) {
    for (const std::filesystem::path& file : test::programs("confined")) {
        TimedSpace space = read_space(file);
        for (const bool everywhere : {false, true}) {
            Request request;
            request.limits.states = 5000;
            const Outcome found = run_search<Inevitable>(space, request, everywhere);
            CHECK(found.status != Status::kRunning);
            if (found.status != Status::kFound) {
                continue;
            }
            const Word* last = found.path.state(found.path.size() - 1);
            if ((found.found & kCycle) == 0) {
                CHECK((found.found & kError) != 0 || !space.endings(last).empty());
                continue;
            }
            const Word* first = found.path.state(static_cast<std::size_t>(found.cycle));
            const std::size_t discrete = space.estimated_words();
            CHECK(std::equal(first, first + discrete, last));
            const std::vector<zone::Bound> outer = space.bounds(last), inner = space.bounds(first);
            CHECK(std::equal(outer.begin(), outer.end(), inner.begin(), std::greater_equal<>()));
        }
    }
}
