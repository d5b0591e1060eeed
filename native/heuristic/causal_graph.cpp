#include "heuristic/causal_graph.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace beeline {

namespace {

constexpr std::int32_t kFar = 1 << 20; // no way was found, which proves nothing

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

CausalGraphEstimator::CausalGraphEstimator(std::shared_ptr<const Task> task)
    : graphs_(task), removal_(std::move(task)), nodes_(graphs_.variables().size()) {
    order_variables();
    keep_earlier_settings();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i].rows.resize(at(graphs_.variables()[i].values));
    }
}

// Cycles are broken by an order: integer variables come before automata, and among the rest the one that loses the
// fewest transitions by it comes next.
void CausalGraphEstimator::order_variables() {
    const auto count = static_cast<std::int32_t>(nodes_.size());
    std::vector<std::map<std::int32_t, std::int32_t>> weight(nodes_.size()); // successors, and how many operators
    std::vector<std::int64_t> incoming(nodes_.size(), 0);
    for (std::int32_t variable = 0; variable < count; ++variable) {
        const auto count_arcs = [&](std::int32_t id) {
            for (const auto& setting : graphs_.transitions()[at(id)].settings) {
                ++weight[at(setting.variable)][variable];
                ++incoming[at(variable)];
            }
        };
        const auto& place = graphs_.variables()[at(variable)];
        for (const auto& leaving : place.leaving) {
            std::for_each(leaving.begin(), leaving.end(), count_arcs);
        }
        std::for_each(place.from_any.begin(), place.from_any.end(), count_arcs);
    }
    std::vector<std::uint8_t> is_goal(nodes_.size(), 0);
    for (const auto& target : graphs_.targets()) {
        for (const auto& condition : target.conditions) {
            is_goal[at(condition.variable)] = 1;
        }
    }
    using Key = std::tuple<bool, std::int64_t, std::uint8_t, std::int32_t>;
    const auto key = [&](std::int32_t variable) {
        return Key{graphs_.variables()[at(variable)].is_automaton, incoming[at(variable)], is_goal[at(variable)],
                   variable};
    };
    std::set<Key> waiting;
    for (std::int32_t variable = 0; variable < count; ++variable) {
        waiting.insert(key(variable));
    }
    position_.assign(nodes_.size(), -1);
    while (!waiting.empty()) {
        const std::int32_t next = std::get<3>(*waiting.begin());
        waiting.erase(waiting.begin());
        position_[at(next)] = static_cast<std::int32_t>(order_.size());
        order_.push_back(next);
        for (const auto& [successor, lost] : weight[at(next)]) {
            if (position_[at(successor)] < 0) {
                waiting.erase(key(successor));
                incoming[at(successor)] -= lost;
                waiting.insert(key(successor));
            }
        }
    }
}

void CausalGraphEstimator::keep_earlier_settings() {
    setups_.resize(graphs_.transitions().size());
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
        std::map<std::int32_t, std::int32_t> place; // of predecessors
        Node& node = nodes_[v];
        const auto keep = [&](std::int32_t id) {
            for (const auto& setting : graphs_.transitions()[at(id)].settings) {
                if (position_[at(setting.variable)] > position_[v]) {
                    continue;
                }
                const auto [known, is_new] =
                    place.try_emplace(setting.variable, static_cast<std::int32_t>(node.predecessors.size()));
                if (is_new) {
                    node.predecessors.push_back(setting.variable);
                }
                setups_[at(id)].push_back({known->second, setting.needed, setting.left});
            }
        };
        for (const auto& leaving : graphs_.variables()[v].leaving) {
            std::for_each(leaving.begin(), leaving.end(), keep);
        }
        std::for_each(graphs_.variables()[v].from_any.begin(), graphs_.variables()[v].from_any.end(), keep);
    }
}

std::int32_t CausalGraphEstimator::estimate(const Word* state) {
    graphs_.values_of(state, values_);
    forget(false);
    return evaluate();
}

std::int32_t CausalGraphEstimator::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    graphs_.values_of(state, values_);
    removed_ = &removal_.without(action, detail);
    forget(true);
    const std::int32_t value = evaluate();
    removed_ = nullptr;
    forget(true);
    return value;
}

// Rows depend on the values of a variable's earlier relatives only; the others stay true from state to state.
void CausalGraphEstimator::forget(bool everything) {
    stale_.assign(nodes_.size(), everything || seen_.empty() ? 1 : 0);
    for (const std::int32_t variable : order_) {
        Node& node = nodes_[at(variable)];
        for (std::size_t i = 0; stale_[at(variable)] == 0 && i < node.predecessors.size(); ++i) {
            const std::int32_t other = node.predecessors[i];
            stale_[at(variable)] = stale_[at(other)] != 0 || seen_[at(other)] != values_[at(other)];
        }
        if (stale_[at(variable)] != 0) {
            for (Row& known : node.rows) {
                known.is_valid = false;
            }
        }
    }
    seen_ = values_;
}

std::int32_t CausalGraphEstimator::evaluate() {
    std::int32_t best = kFar;
    for (const auto& target : graphs_.targets()) {
        std::int32_t sum = target.cost;
        for (const auto& condition : target.conditions) {
            if (sum >= best) {
                break;
            }
            const Row& known = row(condition.variable, values_[at(condition.variable)]);
            sum = std::min(sum + known.cost[at(condition.value)], kFar);
        }
        best = std::min(best, sum);
    }
    return best;
}

const CausalGraphEstimator::Row& CausalGraphEstimator::row(std::int32_t variable, std::int32_t start) {
    Row& wanted = nodes_[at(variable)].rows[at(start)];
    if (!wanted.is_valid) {
        wanted.is_valid = true;
        fill(variable, start, wanted);
    }
    return wanted;
}

// Dijkstra's algorithm, where what a transition costs is known only when its source is reached.
void CausalGraphEstimator::fill(std::int32_t variable, std::int32_t start, Row& row) {
    const Node& node = nodes_[at(variable)];
    const std::size_t values = node.rows.size();
    row.cost.assign(values, kFar);
    row.context.resize(values * node.predecessors.size());
    row.cost[at(start)] = 0;
    for (std::size_t i = 0; i < node.predecessors.size(); ++i) {
        row.context[at(start) * node.predecessors.size() + i] = values_[at(node.predecessors[i])];
    }
    std::vector<std::uint8_t> done(values, 0);
    std::priority_queue<std::pair<std::int32_t, std::int32_t>, std::vector<std::pair<std::int32_t, std::int32_t>>,
                        std::greater<>>
        queue;
    queue.emplace(0, start);
    while (!queue.empty()) {
        const auto [cost, value] = queue.top();
        queue.pop();
        if (done[at(value)] != 0) {
            continue;
        }
        done[at(value)] = 1;
        graphs_.for_each_leaving(variable, value, [&](std::int32_t id, const DomainGraphs::Transition& transition) {
            if (done[at(transition.to)] != 0 || (removed_ != nullptr && (*removed_)[at(transition.op)] != 0)) {
                return;
            }
            const std::int32_t before = row.cost[at(transition.to)];
            follow(node, id, value, row);
            if (row.cost[at(transition.to)] < before) {
                queue.emplace(row.cost[at(transition.to)], transition.to);
            }
        });
    }
}

// Tries one transition from a value: the cost of bringing the predecessors where it needs them, and where that leaves
// them.
void CausalGraphEstimator::follow(const Node& node, std::int32_t id, std::int32_t value, Row& row) {
    const auto& transition = graphs_.transitions()[at(id)];
    const std::size_t width = node.predecessors.size();
    const std::int32_t best = row.cost[at(transition.to)];
    std::int32_t cost = row.cost[at(value)] + transition.cost;
    for (const Setup& setup : setups_[at(id)]) {
        const std::int32_t now = row.context[at(value) * width + at(setup.predecessor)];
        if (setup.needed >= 0 && now != setup.needed) {
            cost += this->row(node.predecessors[at(setup.predecessor)], now).cost[at(setup.needed)];
        }
        if (cost >= best) {
            return;
        }
    }
    if (cost >= best) {
        return;
    }
    row.cost[at(transition.to)] = cost;
    const auto source = row.context.begin() + static_cast<std::ptrdiff_t>(at(value) * width);
    const auto target = row.context.begin() + static_cast<std::ptrdiff_t>(at(transition.to) * width);
    std::copy(source, source + static_cast<std::ptrdiff_t>(width), target);
    for (const Setup& setup : setups_[at(id)]) {
        const std::int32_t now = setup.left >= 0 ? setup.left : setup.needed;
        *(target + setup.predecessor) = now;
    }
}

} // namespace beeline
