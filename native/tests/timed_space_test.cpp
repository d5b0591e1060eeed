// Zone graphs of whole models, searched natively: what the sanitizers look at.
#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "zone/timed_space.hpp"

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
