#include "external/disk_cycles.hpp"
#include "external/disk_search.hpp"
#include "search/breadth_first.hpp"
#include "search/nested_depth_first.hpp"
#include "space/pair_space.hpp"
#include "tests/check.hpp"
#include "tests/folder.hpp"
#include "tests/spaces.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace beeline;
using beeline::test::Folder;
using beeline::test::Graph;
using beeline::test::is_lasso;
using beeline::test::Marked;

namespace {

namespace files = std::filesystem;

using State = std::vector<Word>;

State random_state(Random& random, std::size_t words) {
    State state(words);
    for (Word& word : state) {
        word = static_cast<Word>(random.below(random.below(2) == 0 ? 3 : std::size_t{1} << 32));
    }
    return state;
}

SortedFile written(Disk& disk, RecordFormat format, const std::set<State>& states, Word tag) {
    SortedWriter writer(disk, format);
    for (const State& state : states) {
        writer.add(state.data(), tag);
    }
    return writer.finish();
}

std::set<State> random_set(Random& random, std::size_t words, std::size_t count) {
    std::set<State> states;
    for (std::size_t i = 0; i < count; ++i) {
        states.insert(random_state(random, words));
    }
    return states;
}

const KeepsGoing kAlways = [] { return true; };

} // namespace

TEST(sorted_files_give_back_what_was_written) {
    const Folder folder;
    Disk disk(folder.path);
    Random random(1);
    for (const std::size_t words : {1, 2, 3, 17, 140}) {
        const RecordFormat format{words, RecordFormat::kLeastChunk};
        const std::set<State> states = random_set(random, words, 4000);
        const SortedFile file = written(disk, format, states, 7);
        CHECK_EQUAL(file.records(), states.size());
        SortedReader reader(file);
        for (const State& state : states) {
            CHECK(reader.next() && std::equal(state.begin(), state.end(), reader.state()) && reader.tag() == 7);
        }
        CHECK(!reader.next());
        SortedReader seeker(file);
        for (const State& sought : random_set(random, words, 300)) {
            const auto expected = states.lower_bound(sought);
            CHECK_EQUAL(seeker.seek(sought.data()), expected != states.end());
            CHECK(expected == states.end() || std::equal(expected->begin(), expected->end(), seeker.state()));
        }
    }
    CHECK_EQUAL(files::exists(disk.path(0)), false);
}

TEST(levels_of_files_hold_each_state_once) {
    const Folder folder;
    Disk disk(folder.path);
    Random random(2);
    const RecordFormat format{2, RecordFormat::kLeastChunk};
    std::set<State> all;
    FileLevels levels;
    for (Word i = 0; i < 100; ++i) {
        const std::set<State> states = random_set(random, 2, random.below(60));
        all.insert(states.begin(), states.end());
        CHECK(levels.add(written(disk, format, states, i), kAlways));
    }
    CHECK(levels.files().size() <= 3 * FileLevels::kFan);
    MergedReader reader(levels.files());
    for (const State& state : all) {
        CHECK(reader.next() && std::equal(state.begin(), state.end(), reader.state()));
    }
    CHECK(!reader.next());
}

TEST(a_damaged_file_is_not_believed) {
    const Folder folder;
    Disk disk(folder.path);
    Random random(3);
    const SortedFile file = written(disk, {3, RecordFormat::kLeastChunk}, random_set(random, 3, 100), 0);
    std::fstream(file.path(), std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('\x55').put('\x33');
    bool refused = false;
    try {
        SortedReader reader(file);
        while (reader.next()) {
        }
    } catch (const DiskError&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(a_search_on_disk_counts_what_one_in_memory_counts) {
    const Folder folder;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Graph graph = Graph::random(40, 3, seed);
        graph.goal = seed % 3 == 0 ? 17 : Graph::kNowhere;
        graph.error = seed % 3 == 1 ? 11 : Graph::kNowhere;
        for (const std::uint32_t stop :
             {0u, std::uint32_t{kGoal | kError}, std::uint32_t{kGoal | kError | kDeadlock}}) {
            Request request;
            request.stop = stop;
            const Outcome expected = run_search<BreadthFirst>(graph, request);
            for (const std::size_t buffer : {1, 7, 1000}) {
                const Outcome found = run_disk_search(graph, request, {folder.path, buffer, {}});
                CHECK(found.status == expected.status);
                CHECK_EQUAL(found.path.size() + ((found.found & kError) != 0),
                            expected.path.size() + ((expected.found & kError) != 0));
                if (found.status == Status::kExhausted) {
                    CHECK_EQUAL(found.statistics.stored, expected.statistics.stored);
                    CHECK_EQUAL(found.statistics.generated, expected.statistics.generated);
                    CHECK_EQUAL(found.statistics.errors, expected.statistics.errors);
                    CHECK_EQUAL(found.statistics.deadlocks, expected.statistics.deadlocks);
                }
            }
        }
    }
    CHECK(files::is_empty(folder.path));
}

TEST(a_disk_without_room_ends_the_search) {
    const Folder folder;
    Counters space(5, 9);
    Request request;
    request.stop = 0;
    request.limits.disk = 30'000;
    const Outcome outcome = run_disk_search(space, request, {folder.path, 500, {}});
    CHECK(outcome.status == Status::kDisk);
    CHECK(outcome.statistics.disk <= 30'000);
    CHECK(files::is_empty(folder.path));
}

TEST(indices_of_files_get_the_memory_that_candidates_took) {
    const Folder folder;
    Disk disk(folder.path);
    const RecordFormat format{20, RecordFormat::kLeastChunk};
    MemoryAccount account(1 << 20);
    Store store(format.words, account, kMostStates, Candidates::kSideBytes);
    Candidates candidates(store, account, format);
    IndexMemory indices(account, candidates);
    std::vector<SortedFile> written;
    Random random(5);
    for (int round = 0; round < 10; ++round) {
        Insertion done{Insert::kFresh, 0};
        while (done.result != Insert::kFull) {
            const State state = random_state(random, format.words);
            done = candidates.insert(state.data(), store.hash(state.data()), 0);
        }
        CHECK(candidates.size() > 1000);
        candidates.write_all(disk, [&](std::uint32_t, SortedFile file) { written.push_back(std::move(file)); });
        CHECK(indices.hold(disk));
    }
    CHECK(account.used() >= disk.index_bytes());
}

TEST(cycles_on_disk_are_found_where_there_are_any) {
    const Folder folder;
    std::size_t cycles = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Marked space(Graph::random(5 + seed % 30, 2, seed), 4, 2);
        Request request;
        request.stop = kCycle;
        const Outcome expected = run_search<NestedDepthFirst>(space, request, NestedOptions{});
        cycles += expected.cycle >= 0 ? 1 : 0;
        for (const std::size_t buffer : {1, 7, 1000}) {
            const Outcome found = run_on_disk<DiskCycles>(space, request, {folder.path, buffer, {}});
            CHECK(found.status == expected.status);
            CHECK_EQUAL(found.cycle >= 0, expected.cycle >= 0);
            CHECK(found.cycle < 0 || is_lasso(space, found));
        }
    }
    CHECK(cycles > 50);
    CHECK(files::is_empty(folder.path));
}

TEST(pairs_on_disk_close_the_shortest_cycles) {
    const Folder folder;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Marked space(Graph::random(5 + seed % 20, 2, seed), 4, 2);
        PairSpace<Marked> pairs(space, false);
        Request request;
        request.stop = kGoal;
        const Outcome expected = run_search<BreadthFirst>(pairs, request);
        for (const std::size_t buffer : {1, 7, 1000}) {
            const Outcome found = run_disk_search(pairs, request, {folder.path, buffer, {}});
            CHECK(found.status == expected.status);
            CHECK_EQUAL(found.path.size(), expected.path.size());
            CHECK(found.cycle < 0 || is_lasso(space, found));
        }
    }
    CHECK(files::is_empty(folder.path));
}
