#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/iterative_deepening.hpp"
#include "state/lossy_store.hpp"
#include "state/tree_store.hpp"
#include "tests/check.hpp"
#include "tests/spaces.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

using namespace beeline;
using beeline::Counters;

namespace {

template <class Use>
void with_each_search(const Request& request, Use use) {
    Counters space(5, 40); // far more than any of these limits
    use(run_search<BreadthFirst>(space, request));
    use(run_search<DepthFirst>(space, request, std::optional<std::uint64_t>()));
    use(run_search<IterativeDeepening>(space, request, std::uint32_t{1}));
}

Request explore() {
    Request request;
    request.stop = kNone;
    return request;
}

} // namespace

TEST(the_limit_of_states_is_exact) {
    Request request = explore();
    request.limits.states = 12345;
    with_each_search(request, [](const Outcome& outcome) {
        CHECK(outcome.status == Status::kStates);
        CHECK_EQUAL(outcome.statistics.stored, 12345u);
    });
}

TEST(the_limit_of_states_is_not_reached_by_a_space_of_that_size) {
    Counters space(2, 9);
    Request request = explore();
    request.limits.states = 100;
    CHECK(run_search<BreadthFirst>(space, request).status == Status::kExhausted);
}

// States are numbered by 32 bits; so many would take days. The largest number is a limit like one that was asked for,
// which here is made small: every store ends the search there, with every state that it has numbered.
TEST(every_store_ends_a_search_at_its_largest_number) {
    Counters space(3, 20);
    const Request request = explore();
    const auto check = [&](auto make) {
        for (const std::size_t most : {std::size_t{1}, std::size_t{2}, std::size_t{777}}) {
            const auto made = [&](MemoryAccount& account, std::size_t, std::size_t) { return make(account, most); };
            const Outcome outcome = run_with_store<BreadthFirst>(space, request, made);
            CHECK(outcome.status == Status::kStates);
            CHECK_EQUAL(outcome.statistics.stored, most);
        }
    };
    check([&](MemoryAccount& account, std::size_t most) { return Store(space.words(), account, most); });
    check([&](MemoryAccount& account, std::size_t most) { return TreeStore(space.words(), account, most, 16); });
    check([&](MemoryAccount& account, std::size_t most) {
        return LossyStore<HashCompact>(space.words(), account, most, 8);
    });
    MemoryAccount account;
    CHECK_EQUAL(kMostStates, (std::size_t{1} << 32) - 3); // as beeline.problems.settings says it
    CHECK(!Store(1, account, std::size_t{1} << 40).at_state_limit());
}

TEST(the_time_limit_ends_a_search) {
    Request request = explore();
    request.limits.seconds = 0.05;
    with_each_search(request, [](const Outcome& outcome) {
        CHECK(outcome.status == Status::kTime);
        CHECK(outcome.statistics.seconds < 2);
        CHECK(outcome.statistics.stored > 0);
    });
}

namespace {

// Expansions are quick for a while, and then each takes long.
class Slowing : public Counters {
public:
    Slowing() : Counters(5, 40) {}
    std::unique_ptr<Slowing> clone() const { return std::make_unique<Slowing>(*this); }
    void follow(const Slowing&) {}
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        if (++expanded_ > 2000) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return Counters::expand(state, out);
    }

private:
    int expanded_ = 0;
};

} // namespace

TEST(the_time_limit_ends_a_search_that_becomes_slow) {
    Slowing space;
    Request request = explore();
    request.limits.seconds = 0.1;
    const Outcome outcome = run_search<BreadthFirst>(space, request);
    CHECK(outcome.status == Status::kTime);
    CHECK(outcome.statistics.seconds < 2);
}

TEST(the_memory_limit_ends_a_search) {
    Request request = explore();
    request.limits.memory = resident_bytes() + (8 << 20);
    with_each_search(request, [](const Outcome& outcome) {
        CHECK(outcome.status == Status::kMemory);
        CHECK(outcome.statistics.memory <= 8u << 20);
    });
}

TEST(no_memory_at_all_ends_a_search_at_once) {
    Request request = explore();
    request.limits.memory = 1;
    with_each_search(request, [](const Outcome& outcome) {
        CHECK(outcome.status == Status::kMemory);
        CHECK_EQUAL(outcome.statistics.stored, 0u);
    });
}

TEST(an_observer_hears_of_progress_and_can_interrupt) {
    Request request = explore();
    std::uint64_t heard = 0;
    request.observer = [&](const Statistics& statistics) {
        heard = statistics.expanded;
        return false;
    };
    Counters space(5, 40);
    const Outcome outcome = run_search<BreadthFirst>(space, request);
    CHECK(outcome.status == Status::kInterrupted);
    CHECK(heard > 0 && heard == outcome.statistics.expanded);
}

TEST(a_cancelled_search_ends_as_interrupted) {
    std::atomic<bool> cancelled{true};
    Request request = explore();
    request.cancelled = &cancelled;
    with_each_search(request, [](const Outcome& outcome) { CHECK(outcome.status == Status::kInterrupted); });
}
