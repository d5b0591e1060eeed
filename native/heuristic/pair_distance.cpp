#include "heuristic/pair_distance.hpp"

#include "space/pair_space.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Step {
    std::int32_t target, cost; // 0 or 1
};
using Graph = std::vector<std::vector<Step>>;

std::vector<std::int32_t> distances_from(const Graph& graph, std::size_t start) {
    std::vector<std::int32_t> found(graph.size(), kDeadEnd);
    found[start] = 0;
    std::deque<std::size_t> queue{start};
    while (!queue.empty()) {
        const std::size_t place = queue.front();
        queue.pop_front();
        for (const Step& step : graph[place]) {
            if (found[place] + step.cost < found[at(step.target)]) {
                found[at(step.target)] = found[place] + step.cost;
                step.cost == 0 ? queue.push_front(at(step.target)) : queue.push_back(at(step.target));
            }
        }
    }
    return found;
}

std::vector<std::vector<std::int32_t>> all_distances(const Graph& graph) {
    std::vector<std::vector<std::int32_t>> all;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        all.push_back(distances_from(graph, start));
    }
    return all;
}

Graph graph_of(const Program& program, const Body& body) {
    Graph graph(at(body.locations));
    for (std::int32_t from = 0; from < body.locations; ++from) {
        const LocationRow& row = program.locations[at(body.first_location + from)];
        const std::int32_t cost = (row.flags & kDeterministic) != 0 ? 0 : 1;
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            graph[at(from)].push_back({program.edges[at(edge)].target, cost});
        }
    }
    return graph;
}

Graph monitor_graph(const Program& program) {
    Graph graph(program.monitor.size());
    for (std::size_t from = 0; from < program.monitor.size(); ++from) {
        const MonitorRow& row = program.monitor[from];
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            const std::int32_t target = program.monitor_edges[at(edge)].target;
            graph[from].push_back({target, 1});
            graph[from].push_back({program.monitor[at(target)].halted, 1});
        }
    }
    return graph;
}

} // namespace

PairDistance::PairDistance(std::shared_ptr<const Program> program, bool sum) : program_(std::move(program)), sum_(sum) {
    if (program_->monitor_cell >= 0) {
        add_monitor();
    }
    add_processes();
}

void PairDistance::add_monitor() {
    walkers_.push_back({program_->monitor_cell, graphs_.size()});
    graphs_.push_back(all_distances(monitor_graph(*program_)));
    for (const std::vector<std::int32_t>& distances : graphs_.back()) {
        std::int32_t nearest = kDeadEnd;
        for (std::size_t i = 0; i < distances.size(); ++i) {
            if (program_->monitor[i].accept != 0 || program_->monitor[i].end != 0) {
                nearest = std::min(nearest, distances[i]);
            }
        }
        to_accepting_.push_back(nearest);
    }
}

// Where a number can change hands, another process may do what this one cannot: nothing is said of it.
void PairDistance::add_processes() {
    std::map<std::vector<std::pair<std::int32_t, std::int32_t>>, std::size_t> known; // graphs of equal bodies are one
    for (const Body& body : program_->bodies) {
        const ProcessPlace& place = program_->processes[at(body.number)];
        if (program_->low[at(place.tag)] != program_->high[at(place.tag)]) {
            continue;
        }
        const Graph graph = graph_of(*program_, body);
        std::vector<std::pair<std::int32_t, std::int32_t>> key;
        for (const std::vector<Step>& steps : graph) {
            key.emplace_back(-1, -1);
            for (const Step& step : steps) {
                key.emplace_back(step.target, step.cost);
            }
        }
        const auto [found, is_new] = known.emplace(std::move(key), graphs_.size());
        if (is_new) {
            graphs_.push_back(all_distances(graph));
        }
        walkers_.push_back({place.location, found->second});
    }
}

std::int32_t PairDistance::value(std::int32_t cell, const Word* state) const {
    return program_->packing[at(cell)].value(state);
}

std::int32_t PairDistance::way(const Walker& walker, const Word* from, const Word* to) const {
    return graphs_[walker.graph][at(value(walker.cell, from))][at(value(walker.cell, to))];
}

std::int32_t PairDistance::to_accepting(const Word* state) const {
    return to_accepting_.empty() ? 0 : to_accepting_[at(value(program_->monitor_cell, state))];
}

// What is not closed yet takes a step at least.
std::int32_t PairDistance::estimate(const Word* state) {
    const Word phase = state[0];
    const Word* const current = state + 1;
    if (phase == kPairClosed) {
        return 0;
    }
    if (phase == kPairBefore) {
        return std::max(1, to_accepting(current));
    }
    const Word* const seed = current + program_->words;
    std::int64_t total = phase == kPairAround ? to_accepting(current) : 0;
    for (const Walker& walker : walkers_) {
        const std::int32_t steps = way(walker, current, seed);
        if (steps == kDeadEnd || total == kDeadEnd) {
            return kDeadEnd;
        }
        total = sum_ ? total + steps : std::max<std::int64_t>(total, steps);
    }
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(total, 1, kDeadEnd - 1));
}

} // namespace beeline
