// Several threads give the answers of one. `make race` runs these under the thread sanitizer.
#include "program/program_space.hpp"
#include "search/breadth_first.hpp"
#include "search/driver.hpp"
#include "search/parallel_breadth_first.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"
#include "tests/same.hpp"
#include "tests/spaces.hpp"

using namespace beeline;
using beeline::Counters;
using beeline::test::check_same;
using beeline::test::Graph;

namespace {

template <class S>
Outcome together(S& space, const Request& request, std::size_t threads, std::size_t smallest_layer = 2) {
    const auto make = [&space](MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) {
        return SharedStore(space.words(), account, max_states, side_bytes);
    };
    return run_with_store<ParallelBreadthFirst>(space, request, make, threads, smallest_layer);
}

Request ask(std::uint32_t stop) {
    Request request;
    request.stop = stop;
    return request;
}

} // namespace

TEST(parallel_search_of_random_graphs_is_the_same_as_by_one_thread) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Graph graph = Graph::random(300, 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 299);
        graph.error = seed % 3 == 0 ? static_cast<Word>(seed % 7 + 1) : Graph::kNowhere;
        for (const std::uint32_t stop : {0u, std::uint32_t{kGoal}, std::uint32_t{kGoal | kError | kDeadlock}}) {
            Request request = ask(stop);
            request.limits.depth = seed % 2 == 0 ? 3 : request.limits.depth;
            request.limits.states = seed % 5 == 0 ? 50 : request.limits.states;
            check_same(run_search<BreadthFirst>(graph, request), together(graph, request, 2 + seed % 3));
        }
    }
}

TEST(parallel_search_grows_its_store_and_counts_exactly) {
    Counters space(5, 9);
    const Request request = ask(0);
    check_same(run_search<BreadthFirst>(space, request), together(space, request, 3, 1024));
}

TEST(parallel_search_keeps_to_its_limits) {
    Counters space(5, 40);
    Request request = ask(0);
    request.limits.states = 12345;
    CHECK_EQUAL(together(space, request, 2).statistics.stored, 12345u);
    request = ask(0);
    request.limits.seconds = 0.05;
    CHECK(together(space, request, 2).status == Status::kTime);
    request = ask(0);
    request.limits.memory = resident_bytes() + (8 << 20);
    const Outcome outcome = together(space, request, 2);
    CHECK(outcome.status == Status::kMemory);
    CHECK(outcome.statistics.memory <= 8u << 20);
    CHECK(outcome.statistics.stored > 0);
    request.limits.memory = 1;
    CHECK(together(space, request, 2).status == Status::kMemory);
    std::atomic<bool> cancelled{true};
    request = ask(0);
    request.cancelled = &cancelled;
    CHECK(together(space, request, 2).status == Status::kInterrupted);
}

// The last page of memory may have room for fewer states than a thread takes at once.
TEST(parallel_search_ends_wherever_memory_does) {
    Counters space(5, 40);
    const std::size_t held = resident_bytes();
    for (std::size_t pages = 200; pages < 240; ++pages) {
        Request request = ask(0);
        request.limits.memory = held + pages * 4096;
        CHECK(together(space, request, 2).status == Status::kMemory);
    }
}

TEST(parallel_search_changes_the_layout_of_programs) {
    for (const std::filesystem::path& file : test::programs("plain")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        for (const std::size_t sample : {std::size_t{1}, std::size_t{50}, ProgramSpace::kUsualSample}) {
            ProgramSpace space(program, sample == 50, sample);
            Request request = ask(0);
            request.limits.states = 20000;
            check_same(run_search<BreadthFirst>(space, request), together(space, request, 3, 8));
        }
    }
}
