// Estimates of small graphs, and questions about them.
#pragma once

#include "heuristic/estimator.hpp"
#include "search/random.hpp"
#include "search/request.hpp"
#include "tests/spaces.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace beeline::test {

// What a table says of each node.
class TableEstimator final : public Estimator {
public:
    explicit TableEstimator(std::vector<std::int32_t> values, bool safe = true)
        : values_(std::move(values)), safe_(safe) {}
    std::int32_t estimate(const Word* state) override { return values_[*state]; }
    bool is_safe() const override { return safe_; }

private:
    std::vector<std::int32_t> values_;
    bool safe_;
};

inline Request ask(std::uint32_t stop, std::uint32_t depth = std::numeric_limits<std::uint32_t>::max()) {
    Request request;
    request.stop = stop;
    request.limits.depth = depth;
    return request;
}

// Distances to the goal; -1 where there is no way.
inline std::vector<long> distances_to_goal(const Graph& graph) {
    const auto& targets = graph.targets();
    std::vector<long> distance(targets.size(), -1);
    distance[graph.goal] = 0;
    for (std::size_t round = 0; round < targets.size(); ++round) {
        for (std::size_t node = 0; node < targets.size(); ++node) {
            for (const Word target : targets[node]) {
                if (distance[target] >= 0 && (distance[node] < 0 || distance[node] > distance[target] + 1)) {
                    distance[node] = distance[target] + 1;
                }
            }
        }
    }
    return distance;
}

// Never says too much, but may rise and fall as it likes.
inline std::shared_ptr<Estimator> admissible(const Graph& graph, Random& random) {
    std::vector<std::int32_t> values;
    for (const long distance : distances_to_goal(graph)) {
        values.push_back(distance < 0
                             ? (random.below(2) == 0 ? kDeadEnd : 3)
                             : static_cast<std::int32_t>(random.below(static_cast<std::size_t>(distance) + 1)));
    }
    return std::make_shared<TableEstimator>(std::move(values));
}

} // namespace beeline::test
