// Small spaces whose counts are known by arithmetic, and a random graph to hold searches against a plain algorithm.
#pragma once

#include "search/outcome.hpp"
#include "search/random.hpp"
#include "space/counters.hpp"
#include "space/space.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace beeline::test {

// A directed graph given by lists of targets. Node 0 is initial; `goal` is marked, arcs to `error` are errors.
class Graph {
public:
    explicit Graph(std::vector<std::vector<Word>> targets) : targets_(std::move(targets)) {}

    static Graph random(std::size_t nodes, std::size_t degree, std::uint64_t seed) {
        Random random(seed);
        std::vector<std::vector<Word>> targets(nodes);
        for (auto& list : targets) {
            for (std::size_t i = random.below(degree + 1); i > 0; --i) {
                list.push_back(static_cast<Word>(random.below(nodes)));
            }
        }
        return Graph(std::move(targets));
    }

    static constexpr Word kNowhere = 0xffffffff;
    Word goal = kNowhere;
    Word error = kNowhere;

    std::unique_ptr<Graph> clone() const { return std::make_unique<Graph>(*this); }
    void follow(const Graph&) {}

    std::size_t words() const { return 1; }
    void initial(SuccessorBuffer& out) { *out.add(0, goal == 0 ? kGoal : kNone) = 0; }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        expanded.push_back(*state);
        const auto& list = targets_[*state];
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::uint32_t marks = list[i] == goal ? kGoal : list[i] == error ? kError : kNone;
            *out.add(static_cast<std::uint32_t>(i + 1), marks, list[i] == error ? 77 : 0) = list[i];
        }
        return list.empty() ? kDeadlock : kNone;
    }

    // Distances from node 0, by the textbook; -1 where there is no way.
    std::vector<long> distances() const {
        std::vector<long> distance(targets_.size(), -1);
        std::vector<Word> queue{0};
        distance[0] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const Word target : targets_[queue[i]]) {
                if (distance[target] < 0) {
                    distance[target] = distance[queue[i]] + 1;
                    queue.push_back(target);
                }
            }
        }
        return distance;
    }

    const std::vector<std::vector<Word>>& targets() const { return targets_; }
    std::vector<Word> expanded; // in order

private:
    std::vector<std::vector<Word>> targets_;
};

// A graph whose nodes with a number divisible by `every` are accepting, and whose arcs belong to processes in turn.
class Marked {
public:
    Marked(Graph graph, Word every, std::size_t processes)
        : graph_(std::move(graph)), every_(every), processes_(processes) {}

    std::unique_ptr<Marked> clone() const { return std::make_unique<Marked>(*this); }
    void follow(const Marked&) {}

    std::size_t words() const { return graph_.words(); }
    void initial(SuccessorBuffer& out) { graph_.initial(out); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        graph_.expand(state, out);
        return *state % every_ == every_ - 1 ? kAccept : kNone;
    }
    std::size_t processes() const { return processes_; }
    std::int32_t process_of(std::uint32_t action) const { return static_cast<std::int32_t>((action - 1) % processes_); }
    Word every() const { return every_; }
    const Graph& graph() const { return graph_; }

private:
    Graph graph_;
    Word every_;
    std::size_t processes_;
};

// Whether a lasso is a path of the graph that comes back, through an accepting node.
inline bool is_lasso(const Marked& space, const Outcome& outcome) {
    const Path& path = outcome.path;
    bool accepting = false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const auto& targets = space.graph().targets()[*path.state(i)];
        if (std::find(targets.begin(), targets.end(), *path.state(i + 1)) == targets.end()) {
            return false;
        }
        accepting = accepting || (static_cast<std::int64_t>(i) >= outcome.cycle &&
                                  *path.state(i) % space.every() == space.every() - 1);
    }
    return accepting && *path.state(static_cast<std::size_t>(outcome.cycle)) == *path.state(path.size() - 1);
}

} // namespace beeline::test
