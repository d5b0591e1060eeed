#include "heuristic/graph_distance.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

GraphDistance::GraphDistance(std::shared_ptr<const Task> task, bool sum) : task_(std::move(task)), sum_(sum) {
    const Program& program = task_->program();
    std::map<std::int32_t, std::int32_t> number_of_location;
    for (std::size_t i = 0; i < program.processes.size(); ++i) {
        number_of_location[program.processes[i].location] = static_cast<std::int32_t>(i);
    }
    // Goals that ask for the same locations are one goal here.
    std::set<std::pair<Asked, std::int32_t>> distinct;
    for (const Goal& goal : task_->goals()) {
        Asked asked;
        for (const std::int32_t fact : goal.conditions) {
            const auto found = number_of_location.find(task_->fact_cell(fact));
            if (found != number_of_location.end()) {
                asked.emplace_back(found->second, task_->fact_value(fact));
            }
        }
        std::sort(asked.begin(), asked.end());
        distinct.emplace(std::move(asked), goal.cost);
    }
    goals_.assign(distinct.begin(), distinct.end());
    ways_ = ways({});
}

std::vector<GraphDistance::Way> GraphDistance::ways(const Removed& removed) const {
    std::vector<Way> all;
    for (const auto& [asked, cost] : goals_) {
        Way way{{}, cost};
        for (const auto& [number, location] : asked) {
            way.demands.push_back(demand(number, location, removed));
        }
        all.push_back(std::move(way));
    }
    return all;
}

// Breadth-first from the wanted location backwards, in the graph of each kind that the number can have.
GraphDistance::Demand GraphDistance::demand(std::int32_t number, std::int32_t location, const Removed& removed) const {
    const Program& program = task_->program();
    Demand result{number, std::vector<std::vector<std::int32_t>>(at(program.kinds) + 1)};
    const ProcessPlace& place = program.processes[at(number)];
    const bool for_ever = program.low[at(place.tag)] == program.high[at(place.tag)];
    for (const Body& body : program.bodies) {
        // Where a number can change hands, another process may do what this one cannot.
        if (body.number != number || location >= body.locations || !for_ever) {
            continue;
        }
        std::vector<std::int32_t> distance(at(body.locations), kDeadEnd);
        distance[at(location)] = 0;
        std::deque<std::int32_t> queue{location};
        while (!queue.empty()) {
            const std::int32_t target = queue.front();
            queue.pop_front();
            if (std::find(removed.begin(), removed.end(), std::pair(number, target)) != removed.end()) {
                continue;
            }
            for (std::int32_t from = 0; from < body.locations; ++from) {
                const LocationRow& row = program.locations[at(body.first_location + from)];
                const std::int32_t step = (row.flags & kDeterministic) != 0 ? 0 : 1;
                for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                    if (program.edges[at(edge)].target == target && distance[at(target)] + step < distance[at(from)]) {
                        distance[at(from)] = distance[at(target)] + step;
                        step == 0 ? queue.push_front(from) : queue.push_back(from);
                    }
                }
            }
        }
        result.distance[at(body.kind) + 1] = std::move(distance);
    }
    return result;
}

// The conservative reduced system of the paper on useless transitions: no edge leads to the same location any more.
std::int32_t GraphDistance::estimate_without(const Word* state, std::uint32_t action, std::uint32_t detail) {
    const std::uint64_t key = (std::uint64_t{action} << 32) | detail;
    auto found = ways_without_.find(key);
    if (found == ways_without_.end()) {
        Removed removed{arrival(action)};
        if (detail > 0) {
            removed.push_back(arrival(detail - 1));
        }
        found = ways_without_.emplace(key, ways(removed)).first;
    }
    return least(found->second, state);
}

std::pair<std::int32_t, std::int32_t> GraphDistance::arrival(std::uint32_t edge) const {
    const Program& program = task_->program();
    if (edge >= program.edges.size()) {
        return {-1, -1}; // a monitor's
    }
    return {program.number_of_edge[edge], program.edges[edge].target};
}

std::int32_t GraphDistance::value(std::int32_t cell, const Word* state) const {
    const Packing& place = task_->program().packing[at(cell)];
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(place.low) +
                                     (place.mask == 0 ? 0 : (state[place.word] >> place.shift) & place.mask));
}

std::int32_t GraphDistance::estimate(const Word* state) { return least(ways_, state); }

std::int32_t GraphDistance::add_to(Lookup& lookup) const {
    const Program& program = task_->program();
    std::vector<std::int32_t> totals{lookup.constant(kDeadEnd)};
    for (const Way& way : ways_) {
        std::vector<std::int32_t> steps{lookup.constant(0)};
        for (const Demand& demand : way.demands) {
            const ProcessPlace& place = program.processes[at(demand.number)];
            // Distances are known only of numbers that do not change hands: their tag has one value.
            const auto& distance = demand.distance[at(program.low[at(place.tag)])];
            if (!distance.empty()) {
                steps.push_back(lookup.at_cell(place.location, 0, distance, kDeadEnd));
            }
        }
        const std::int32_t all = lookup.join(sum_ ? Lookup::Kind::kSum : Lookup::Kind::kMaximum, std::move(steps));
        totals.push_back(lookup.join(Lookup::Kind::kSum, {all, lookup.constant(way.cost)}));
    }
    return lookup.join(Lookup::Kind::kMinimum, std::move(totals));
}

std::int32_t GraphDistance::least(const std::vector<Way>& ways, const Word* state) const {
    std::int32_t best = kDeadEnd;
    for (const Way& way : ways) {
        std::int64_t total = 0;
        for (const Demand& demand : way.demands) {
            const ProcessPlace& place = task_->program().processes[at(demand.number)];
            const auto& distance = demand.distance[at(value(place.tag, state))];
            if (distance.empty()) {
                continue;
            }
            const std::int64_t steps = distance[at(value(place.location, state))];
            total = steps == kDeadEnd ? kDeadEnd : sum_ ? total + steps : std::max(total, steps);
            if (total >= kDeadEnd) {
                break;
            }
        }
        if (total < kDeadEnd) {
            best = std::min<std::int64_t>(best, total + way.cost);
        }
    }
    return best;
}

} // namespace beeline
