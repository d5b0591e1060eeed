#include "abstraction/merge_order.hpp"

#include <algorithm>
#include <map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

using Pair = std::pair<std::int32_t, std::int32_t>;

// For each relation the least distance that one of its moves leads to.
std::vector<std::vector<std::int32_t>> ranks_of(const std::vector<TransitionSystem>& systems) {
    std::vector<std::vector<std::int32_t>> ranks;
    for (const TransitionSystem& system : systems) {
        auto& own = ranks.emplace_back(system.relations.size(), kUnreachable);
        for (std::size_t i = 0; i < own.size(); ++i) {
            for (const Move& move : system.relations[i]) {
                own[i] = std::min(own[i], system.distances[at(move.to)]);
            }
        }
    }
    return ranks;
}

using Weight = std::pair<std::int64_t, std::int64_t>;

// The weight of each pair that a label joins: the smaller the better.
std::map<Pair, Weight> weights(const std::vector<TransitionSystem>& systems, const std::vector<Label>& labels,
                               MergeOrder order) {
    const auto ranks = ranks_of(systems);
    std::map<Pair, Weight> found;
    for (const Label& label : labels) {
        for (std::size_t i = 0; i < label.uses.size(); ++i) {
            for (std::size_t j = i + 1; j < label.uses.size(); ++j) {
                const Use& a = label.uses[i];
                const Use& b = label.uses[j];
                const std::int64_t rank =
                    std::max(ranks[at(a.system)][at(a.relation)], ranks[at(b.system)][at(b.relation)]);
                const std::int64_t size = std::int64_t{systems[at(a.system)].states} * systems[at(b.system)].states;
                const Weight weight = order == MergeOrder::kSmallest  ? Weight{size, 0}
                                      : order == MergeOrder::kNearest ? Weight{rank, size}
                                                                      : Weight{rank, 0};
                const auto [place, fresh] = found.try_emplace({a.system, b.system}, weight);
                place->second = std::min(place->second, weight);
            }
        }
    }
    return found;
}

} // namespace

std::optional<Pair> next_pair(const std::vector<TransitionSystem>& systems, const std::vector<Label>& labels,
                              MergeOrder order) {
    std::vector<std::int32_t> left;
    bool any = false;
    for (std::size_t i = 0; i < systems.size(); ++i) {
        if (systems[i].states > 0) {
            left.push_back(static_cast<std::int32_t>(i));
            any = any || !systems[i].is_trivial();
        }
    }
    if (!any || left.size() < 2) {
        return std::nullopt;
    }
    if (order == MergeOrder::kDefinition) {
        return Pair{left[0], left[1]};
    }
    std::optional<Pair> best;
    Weight least{};
    for (const auto& [pair, weight] : weights(systems, labels, order)) {
        const bool asks = !systems[at(pair.first)].is_trivial() || !systems[at(pair.second)].is_trivial();
        if (asks && (!best || weight < least)) {
            best = pair;
            least = weight;
        }
    }
    if (best) {
        return best;
    }
    // Nothing joins what is left of the goal: those that still ask for something belong together.
    std::stable_partition(left.begin(), left.end(), [&](std::int32_t one) { return !systems[at(one)].is_trivial(); });
    if (systems[at(left[1])].is_trivial()) {
        return std::nullopt; // one is left that asks; no other has to do with it
    }
    return Pair{std::min(left[0], left[1]), std::max(left[0], left[1])};
}

} // namespace beeline
