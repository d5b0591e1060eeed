#include "search/breadth_first.hpp"
#include "search/driver.hpp"
#include "state/lossy_store.hpp"
#include "state/root_table.hpp"
#include "tests/check.hpp"
#include "tests/spaces.hpp"

#include <set>

using namespace beeline;
using beeline::Counters;
using beeline::test::Graph;

namespace {

template <class Kept, class S>
Outcome lossy(S& space, const Request& request, unsigned size) {
    const auto make = [&](MemoryAccount& account, std::size_t max_states, std::size_t) {
        return LossyStore<Kept>(space.words(), account, max_states, size);
    };
    return run_with_store<BreadthFirst>(space, request, make);
}

Request ask(std::uint32_t stop) {
    Request request;
    request.stop = stop;
    return request;
}

} // namespace

TEST(scattered_numbers_are_found_again_after_growth) {
    for (const unsigned bytes : {4u, 5u, 6u, 7u, 8u}) {
        MemoryAccount account;
        ClearyTable set(account, 8 * bytes);
        const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
        std::set<std::uint64_t> known;
        Random random(bytes);
        for (int i = 0; i < 50000; ++i) {
            const std::uint64_t number = (finish_hash(random.below(40000)) & mask) | 1;
            const bool fresh = known.insert(number).second;
            CHECK((set.add(number) == ClearyTable::Added::kFresh) == fresh);
        }
        CHECK_EQUAL(set.size(), known.size());
        for (std::uint64_t i = 0; i < 40000; ++i) {
            const std::uint64_t number = (finish_hash(i) & mask) | 1;
            CHECK(set.contains(number) == (known.count(number) != 0));
        }
    }
}

TEST(a_set_of_roots_tells_pairs_apart_as_they_grow) {
    MemoryAccount account;
    RootTable set(account);
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    Random random(3);
    for (int i = 0; i < 60000; ++i) {
        const unsigned bits = 2 + static_cast<unsigned>(i) / 2000;
        const auto left = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << bits));
        const auto right = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << (bits < 20 ? 12 : bits)));
        const bool fresh = known.emplace(left, right).second;
        CHECK(set.make_room(left, right));
        CHECK((set.add(set.code(left, right)) == ClearyTable::Added::kFresh) == fresh);
    }
    CHECK(set.make_room(~0u, ~0u));
    CHECK(set.add(set.code(~0u, ~0u)) == ClearyTable::Added::kFresh);
    for (const auto& [left, right] : known) {
        CHECK(set.contains(set.code(left, right)));
        CHECK(set.contains(set.code(left ^ 1, right)) == (known.count({left ^ 1, right}) != 0));
    }
}

TEST(a_way_back_is_the_way_that_was_come) {
    MemoryAccount account;
    WayBack way(account);
    Random random(1);
    std::vector<Index> parents;
    std::vector<std::uint32_t> positions;
    Index parent = kNoIndex;
    for (std::size_t i = 0; i < 5000; ++i) {
        if (i > 3 && random.below(3) == 0) { // never beyond what is there
            parent = static_cast<Index>(std::min<std::size_t>(i - 1, std::uint64_t{parent + 1} + random.below(3)));
        }
        parents.push_back(parent);
        positions.push_back(static_cast<std::uint32_t>(random.below(10) == 0 ? 250 + random.below(1000) : i % 7));
        CHECK(way.append(parent, positions.back()));
    }
    for (Index index = 0; index < parents.size(); index += 7) {
        std::vector<std::uint32_t> expected;
        for (Index i = index; i != kNoIndex; i = parents[i]) {
            expected.insert(expected.begin(), positions[i]);
        }
        CHECK(way.positions_to(index) == expected);
    }
}

TEST(lossy_searches_of_random_graphs_find_what_breadth_first_search_finds) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Graph graph = Graph::random(300, 4, seed);
        graph.goal = 1 + static_cast<Word>(seed % 299);
        graph.error = static_cast<Word>(seed % 7 + 1);
        const Outcome exact = run_search<BreadthFirst>(graph, ask(kGoal));
        for (const Outcome& outcome :
             {lossy<HashCompact>(graph, ask(kGoal), 8), lossy<Bitstate>(graph, ask(kGoal), 24)}) {
            CHECK(outcome.status == (exact.status == Status::kFound ? Status::kFound : Status::kGaveUp));
            CHECK(outcome.path.actions == exact.path.actions);
            CHECK(outcome.path.states == exact.path.states);
            CHECK_EQUAL(outcome.statistics.stored, exact.statistics.stored);
            CHECK_EQUAL(outcome.statistics.generated, exact.statistics.generated);
        }
    }
}

TEST(a_store_that_misses_states_says_so) {
    Counters space(5, 9);
    const Outcome few = lossy<Bitstate>(space, ask(0), 16);
    CHECK(few.status == Status::kGaveUp);
    CHECK(few.statistics.stored < 100000u);
    CHECK(few.omission > 0.99);
    const Outcome many = lossy<HashCompact>(space, ask(0), 7);
    CHECK_EQUAL(many.statistics.stored, 100000u);
    CHECK(many.omission > 0 && many.omission < 1e-6);
}

TEST(lossy_stores_keep_to_limits) {
    Counters space(5, 40);
    Request request = ask(0);
    request.limits.states = 12345;
    CHECK_EQUAL(lossy<HashCompact>(space, request, 6).statistics.stored, 12345u);
    request = ask(0);
    request.limits.memory = resident_bytes() + (8 << 20);
    // A table of 22 bits is full, and the search over, before the limit is reached.
    for (const Outcome& outcome : {lossy<HashCompact>(space, request, 6), lossy<Bitstate>(space, request, 24)}) {
        CHECK(outcome.status == Status::kMemory);
        CHECK(outcome.statistics.stored > 0);
        CHECK(outcome.statistics.memory <= 8u << 20);
    }
    request.limits.memory = 1;
    CHECK(lossy<Bitstate>(space, request, 22).status == Status::kMemory);
}
