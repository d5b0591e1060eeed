#include "abstraction/pair_distance.hpp"

#include "space/pair_space.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

namespace beeline {

namespace {

constexpr std::size_t kMostPlaces = 256; // of a cell: there are distances for each pair of them

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

PairDistance::PairDistance(std::shared_ptr<const Program> program, bool sum, const FactoredTask* factors,
                           std::shared_ptr<Estimator> to_acceptance)
    : program_(std::move(program)), sum_(sum), to_acceptance_(std::move(to_acceptance)) {
    if (program_->monitor_cell >= 0) {
        add_monitor();
    }
    factors == nullptr ? add_processes() : add_factors(*factors);
}

// A monitor moves in every step. Where the network comes to rest, it may go on at another place.
void PairDistance::add_monitor() {
    Graph graph{static_cast<std::int32_t>(program_->monitor.size()), {}};
    for (std::int32_t from = 0; from < graph.places; ++from) {
        const MonitorRow& row = program_->monitor[at(from)];
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            const std::int32_t target = program_->monitor_edges[at(edge)].target;
            graph.steps.push_back({from, target, 1});
            graph.steps.push_back({from, program_->monitor[at(target)].halted, 1});
        }
    }
    std::vector<std::int32_t> places(at(graph.places));
    std::iota(places.begin(), places.end(), 0);
    add(program_->monitor_cell, std::move(graph), places);
    if (walkers_.empty()) {
        return;
    }
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
    for (const Body& body : program_->bodies) {
        const ProcessPlace& place = program_->processes[at(body.number)];
        if (program_->low[at(place.tag)] != program_->high[at(place.tag)]) {
            continue;
        }
        Graph graph{body.locations, {}};
        for (std::int32_t from = 0; from < body.locations; ++from) {
            const LocationRow& row = program_->locations[at(body.first_location + from)];
            const std::int32_t cost = (row.flags & kDeterministic) != 0 ? 0 : 1;
            for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                graph.steps.push_back({from, program_->edges[at(edge)].target, cost});
            }
        }
        std::vector<std::int32_t> locations(at(body.locations));
        std::iota(locations.begin(), locations.end(), 0);
        add(place.location, std::move(graph), locations);
    }
}

void PairDistance::add_factors(const FactoredTask& factored) {
    std::vector<std::vector<Step>> steps(factored.factors().size());
    for (const Label& label : factored.labels()) {
        for (const Use& use : label.uses) {
            for (const Move& move : factored.factors()[at(use.system)].relations[at(use.relation)]) {
                if (move.from != move.to) {
                    steps[at(use.system)].push_back({move.from, move.to, std::min(label.cost, 1)});
                }
            }
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Factor& factor = factored.factors()[i];
        if (factor.cell >= 0 && factor.cell != program_->monitor_cell) {
            add(factor.cell, {static_cast<std::int32_t>(factor.values.size()), std::move(steps[i])}, factor.values);
        }
    }
}

// A cell whose value is by position in `values`.
void PairDistance::add(std::int32_t cell, Graph graph, const std::vector<std::int32_t>& values) {
    if (values.size() > kMostPlaces || values.size() < 2) {
        return;
    }
    std::sort(graph.steps.begin(), graph.steps.end());
    graph.steps.erase(std::unique(graph.steps.begin(), graph.steps.end()), graph.steps.end());
    std::vector<std::pair<std::int32_t, std::int32_t>> places;
    for (std::size_t i = 0; i < values.size(); ++i) {
        places.emplace_back(values[i], static_cast<std::int32_t>(i));
    }
    std::sort(places.begin(), places.end());
    const auto [found, is_new] = known_.emplace(std::move(graph), graphs_.size());
    if (is_new) {
        graphs_.push_back(all_distances(found->first));
    }
    walkers_.push_back({cell, found->second, std::move(places)});
}

PairDistance::Distances PairDistance::all_distances(const Graph& graph) {
    std::vector<std::vector<Step>> leaving(at(graph.places));
    for (const Step& step : graph.steps) {
        leaving[at(step.from)].push_back(step);
    }
    Distances all;
    for (std::int32_t start = 0; start < graph.places; ++start) {
        std::vector<std::int32_t> found(at(graph.places), kDeadEnd);
        found[at(start)] = 0;
        std::deque<std::int32_t> queue{start};
        while (!queue.empty()) {
            const std::int32_t place = queue.front();
            queue.pop_front();
            for (const Step& step : leaving[at(place)]) {
                if (found[at(place)] + step.cost < found[at(step.to)]) {
                    found[at(step.to)] = found[at(place)] + step.cost;
                    step.cost == 0 ? queue.push_front(step.to) : queue.push_back(step.to);
                }
            }
        }
        all.push_back(std::move(found));
    }
    return all;
}

std::int32_t PairDistance::value(std::int32_t cell, const Word* state) const {
    return program_->packing[at(cell)].value(state);
}

// -1 for a value that the graph does not tell of.
std::int32_t PairDistance::place(const Walker& walker, std::int32_t value) {
    const auto found = std::lower_bound(walker.places.begin(), walker.places.end(), std::pair{value, 0});
    return found == walker.places.end() || found->first != value ? -1 : found->second;
}

std::int32_t PairDistance::way(const Walker& walker, const Word* from, const Word* to) const {
    const std::int32_t here = value(walker.cell, from), there = value(walker.cell, to);
    if (here == there) {
        return 0;
    }
    const std::int32_t first = place(walker, here), last = place(walker, there);
    return first < 0 || last < 0 ? 0 : graphs_[walker.graph][at(first)][at(last)];
}

std::int32_t PairDistance::to_accepting(const Word* state) {
    const std::int32_t moves = to_accepting_.empty() ? 0 : to_accepting_[at(value(program_->monitor_cell, state))];
    return moves == kDeadEnd || !to_acceptance_ ? moves : std::max(moves, to_acceptance_->estimate(state));
}

// What is not closed yet takes a step at least, and so does the cycle behind an accepting state.
std::int32_t PairDistance::estimate(const Word* state) {
    const Word phase = state[0];
    const Word* const current = state + 1;
    if (phase == kPairClosed) {
        return 0;
    }
    std::int64_t total = 0;
    if (phase != kPairAccepted) {
        const std::int32_t steps = to_accepting(current);
        if (steps == kDeadEnd) {
            return kDeadEnd;
        }
        total = std::int64_t{steps} + 1;
    }
    if (phase != kPairBefore) {
        const Word* const seed = current + program_->words;
        for (const Walker& walker : walkers_) {
            const std::int32_t steps = way(walker, current, seed);
            if (steps == kDeadEnd) {
                return kDeadEnd;
            }
            total = sum_ ? total + steps : std::max<std::int64_t>(total, steps);
        }
    }
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(total, 1, kDeadEnd - 1));
}

} // namespace beeline
