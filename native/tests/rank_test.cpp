// Ranks of distributed searches, with nothing between them but vectors.
#include "external/checkpoint.hpp"
#include "external/disk_rank.hpp"
#include "search/directed_rank.hpp"
#include "search/layer_rank.hpp"
#include "search/team_rank.hpp"
#include "tests/check.hpp"
#include "tests/folder.hpp"
#include "tests/spaces.hpp"

#include <limits>
#include <memory>
#include <vector>

using namespace beeline;
using beeline::test::Folder;
using beeline::test::Graph;

namespace {

class Blind final : public Estimator {
public:
    std::int32_t estimate(const Word*) override { return 0; }
    bool is_safe() const override { return true; }
};

template <class R>
void deliver(std::vector<std::unique_ptr<R>>& ranks) {
    for (auto& rank : ranks) {
        rank->lines().flush();
        while (rank->lines().any_full()) {
            const auto [owner, line] = rank->lines().take();
            ranks[owner]->accept(line.data(), line.size());
        }
    }
}

template <class R>
std::uint64_t stored(std::vector<std::unique_ptr<R>>& ranks) {
    std::uint64_t all = 0;
    for (auto& rank : ranks) {
        all += rank->statistics().stored;
    }
    return all;
}

// The steps to the nearest violation that a rank has found; -1 if none has.
template <class R>
long nearest(const std::vector<std::unique_ptr<R>>& ranks) {
    long least = std::numeric_limits<long>::max();
    for (const auto& rank : ranks) {
        if (rank->violation()) {
            least = std::min(least, static_cast<long>(rank->violation()->steps));
        }
    }
    return least == std::numeric_limits<long>::max() ? -1 : least;
}

std::uint64_t reachable(const std::vector<long>& distances) {
    return static_cast<std::uint64_t>(
        std::count_if(distances.begin(), distances.end(), [](long distance) { return distance >= 0; }));
}

Request goal_request() {
    Request request;
    request.stop = kGoal;
    return request;
}

using DiskRanks = std::vector<std::unique_ptr<DiskRank<Graph>>>;

DiskRanks ranks_on_disk(std::vector<Graph>& graphs, const std::string& folder, std::size_t buffer, Estimator* way) {
    Request request = goal_request();
    request.limits.states = buffer;
    DiskRanks ranks;
    const auto count = static_cast<std::uint32_t>(graphs.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const RankPlace place{i, count, 7};
        ranks.push_back(std::make_unique<DiskRank<Graph>>(graphs[i], place, request, folder, way, true));
    }
    return ranks;
}

// Searches at most so many rounds.
void search(DiskRanks& ranks, std::size_t rounds) {
    for (std::size_t round = 0; round < rounds; ++round) {
        std::optional<RankFiles::Bucket> next;
        for (auto& rank : ranks) {
            next = !next ? rank->next() : !rank->next() ? next : std::min(next, rank->next());
        }
        if (!next) {
            return;
        }
        for (auto& rank : ranks) {
            rank->advance(next->sum, next->depth);
        }
        for (auto& rank : ranks) {
            while (rank->expand(3)) {
            }
        }
        deliver(ranks);
    }
}

} // namespace

TEST(ranks_on_disk_go_on_from_checkpoints_by_another_number_of_ranks) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Folder folder;
        Graph graph = Graph::random(200, 4, seed);
        graph.goal = static_cast<Word>((7 * seed) % 200);
        const std::vector<long> distances = graph.distances();
        const std::size_t before = 1 + seed % 3, after = 1 + seed / 3 % 3, buffer = seed % 2 == 0 ? 5 : 1000;
        Blind blind;
        Estimator* const way = seed % 4 < 2 ? nullptr : &blind;
        const auto part = [&](std::size_t rank) { return folder.path + "/search.1." + std::to_string(rank); };
        {
            std::vector<Graph> graphs(before, graph);
            DiskRanks ranks = ranks_on_disk(graphs, folder.path, buffer, way);
            ranks[0]->begin();
            deliver(ranks);
            search(ranks, 1 + seed % 4);
            for (std::size_t rank = 0; rank < before; ++rank) {
                CheckpointWriter writer({part(rank), 0, "one", false});
                ranks[rank]->save(writer, part(rank));
                writer.finish();
            }
        }
        std::vector<Graph> graphs(after, graph);
        DiskRanks ranks = ranks_on_disk(graphs, folder.path, buffer, way);
        const auto open = [&](std::size_t rank) {
            return std::make_unique<CheckpointReader>(CheckpointOptions{part(rank), 0, "one", true});
        };
        for (std::size_t rank = 0; rank < after; ++rank) {
            if (before == after) {
                ranks[rank]->restore(*open(rank), part(rank));
            } else {
                ranks[rank]->adopt(static_cast<std::uint32_t>(before), open);
            }
        }
        search(ranks, 1000);
        CHECK_EQUAL(stored(ranks), reachable(distances));
        CHECK_EQUAL(nearest(ranks), distances[graph.goal]);
        for (std::size_t rank = 0; rank < before; ++rank) {
            std::filesystem::remove(part(rank));
        }
        for (auto& rank : ranks) {
            rank->keep_nothing();
        }
        ranks.clear();
        CHECK(std::filesystem::is_empty(folder.path));
    }
}

TEST(layers_of_several_ranks_are_those_of_the_graph) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto count = static_cast<std::uint32_t>(1 + seed % 5);
        Graph graph = Graph::random(200, 4, seed);
        graph.goal = static_cast<Word>(seed % 200);
        const std::vector<long> distances = graph.distances();
        std::vector<Graph> graphs(count, graph);
        std::vector<std::unique_ptr<LayerRank<Graph>>> ranks;
        for (std::uint32_t i = 0; i < count; ++i) {
            const RankPlace place{i, count, seed % 2 == 0 ? 1u : 7u};
            ranks.push_back(std::make_unique<LayerRank<Graph>>(graphs[i], place, goal_request()));
        }
        ranks[0]->begin();
        deliver(ranks);
        for (std::size_t fresh = 1; fresh > 0;) {
            fresh = 0;
            for (auto& rank : ranks) {
                fresh += rank->advance();
            }
            for (auto& rank : ranks) {
                while (rank->expand(3)) {
                }
            }
            deliver(ranks);
        }
        CHECK_EQUAL(stored(ranks), reachable(distances));
        CHECK_EQUAL(nearest(ranks), distances[graph.goal]);
    }
}

TEST(parallel_threads_of_a_rank_store_each_state_once) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto count = static_cast<std::uint32_t>(1 + seed % 3);
        Graph graph = Graph::random(3000, 6, seed);
        const std::vector<long> distances = graph.distances();
        std::vector<Graph> graphs(count, graph);
        std::vector<std::unique_ptr<TeamRank<Graph>>> ranks;
        for (std::uint32_t i = 0; i < count; ++i) {
            ranks.push_back(std::make_unique<TeamRank<Graph>>(graphs[i], RankPlace{i, count, 700}, goal_request(), 3));
        }
        ranks[0]->begin();
        deliver(ranks);
        for (std::size_t fresh = 1; fresh > 0;) {
            fresh = 0;
            for (auto& rank : ranks) {
                fresh += rank->advance();
            }
            for (auto& rank : ranks) {
                while (rank->expand(1000)) {
                }
            }
            deliver(ranks);
        }
        CHECK_EQUAL(stored(ranks), reachable(distances));
    }
}

TEST(ranks_that_do_not_wait_for_each_other_find_a_shortest_way) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto count = static_cast<std::uint32_t>(1 + seed % 5);
        Graph graph = Graph::random(200, 4, seed);
        graph.goal = static_cast<Word>((7 * seed) % 200);
        const std::vector<long> distances = graph.distances();
        std::vector<Graph> graphs(count, graph);
        Blind blind;
        std::vector<std::unique_ptr<DirectedRank<Graph>>> ranks;
        for (std::uint32_t i = 0; i < count; ++i) {
            const RankPlace place{i, count, 3};
            ranks.push_back(std::make_unique<DirectedRank<Graph>>(graphs[i], place, goal_request(), blind, true));
        }
        ranks[0]->begin();
        deliver(ranks);
        Random random(seed);
        const auto any_waits = [&] {
            return std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank->waiting() > 0; });
        };
        while (any_waits()) {
            for (std::size_t turn = 0; turn < 5; ++turn) { // some work a lot before others have heard of it
                ranks[random.below(count)]->expand(random.below(20));
            }
            deliver(ranks);
        }
        CHECK_EQUAL(nearest(ranks), distances[graph.goal]);
        for (auto& rank : ranks) {
            if (rank->violation() && rank->violation()->source != kNoIndex) {
                CHECK(rank->ancestry(rank->violation()->source).actions.size() > 0);
            }
        }
    }
}

TEST(what_is_no_line_is_refused) {
    Graph graph = Graph::random(10, 2, 1);
    LayerRank<Graph> rank(graph, RankPlace{0, 2, 4}, goal_request());
    const std::vector<Word> words(7);
    for (const std::size_t size : {0u, 1u, 3u, 7u}) {
        bool refused = false;
        try {
            rank.accept(words.data(), size);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}
