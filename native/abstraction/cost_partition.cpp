#include "abstraction/cost_partition.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::int32_t kNothing = std::numeric_limits<std::int32_t>::min(); // no step needs any of the cost

// What all steps of a group need of its cost, so that distances are no larger than before.
std::int32_t need_of(const LabelledSystem::Group& group, const std::vector<std::int32_t>& distances) {
    std::int32_t need = group.stays ? 0 : kNothing;
    for (const Move& move : group.moves) {
        const std::int32_t from = distances[at(move.from)];
        const std::int32_t to = distances[at(move.to)];
        if (to != kUnreachable && from != kUnreachable) {
            need = std::max(need, from - to);
        }
    }
    return need;
}

} // namespace

SharedCosts::SharedCosts(const FactoredTask& task, std::vector<LabelledSystem> systems, Saturation saturation)
    : saturation_(saturation) {
    for (const Label& label : task.labels()) {
        costs_.push_back(label.cost);
    }
    for (LabelledSystem& one : systems) {
        System system;
        system.labelled = std::move(one);
        list_arcs(system);
        systems_.push_back(std::move(system));
    }
    weigh();
}

std::size_t SharedCosts::states() const {
    std::size_t count = 0;
    for (const System& system : systems_) {
        count += at(system.labelled.states);
    }
    return count;
}

std::size_t SharedCosts::steps() const {
    std::size_t count = 0;
    for (const System& system : systems_) {
        count += system.arcs.size();
    }
    return count;
}

void SharedCosts::list_arcs(System& system) {
    system.starts.assign(at(system.labelled.states) + 1, 0);
    for (const auto& group : system.labelled.groups) {
        for (const Move& move : group.moves) {
            ++system.starts[at(move.to) + 1];
        }
    }
    for (std::size_t i = 1; i < system.starts.size(); ++i) {
        system.starts[i] += system.starts[i - 1];
    }
    system.arcs.resize(system.starts.back());
    std::vector<std::size_t> next(system.starts.begin(), system.starts.end() - 1);
    for (std::size_t i = 0; i < system.labelled.groups.size(); ++i) {
        for (const Move& move : system.labelled.groups[i].moves) {
            system.arcs[next[at(move.to)]++] = {move.from, static_cast<std::int32_t>(i)};
        }
    }
    for (std::size_t label = 0; label < system.labelled.group_of.size(); ++label) {
        if (system.labelled.group_of[label] == LabelledSystem::kNever) {
            system.never.push_back(static_cast<std::int32_t>(label));
        }
    }
}

// Costs are small numbers, so that states wait in a list for each distance.
void SharedCosts::measure(const System& system, const Costs& costs, std::vector<std::int32_t>& distances) {
    const LabelledSystem& labelled = system.labelled;
    group_costs_.clear();
    for (const auto& group : labelled.groups) {
        std::int32_t least = kUnreachable;
        for (const std::int32_t label : group.labels) {
            least = std::min(least, costs[at(label)]);
        }
        group_costs_.push_back(least);
    }
    distances.assign(at(labelled.states), kUnreachable);
    const auto reach = [&](std::int32_t state, std::int32_t distance) {
        distances[at(state)] = distance;
        if (buckets_.size() <= at(distance)) {
            buckets_.resize(at(distance) + 1);
        }
        buckets_[at(distance)].push_back(state);
    };
    for (std::int32_t state = 0; state < labelled.states; ++state) {
        if (labelled.goal[at(state)] != 0) {
            reach(state, 0);
        }
    }
    for (std::size_t now = 0; now < buckets_.size(); ++now) {
        const auto distance = static_cast<std::int32_t>(now);
        for (std::size_t i = 0; i < buckets_[now].size(); ++i) {
            const std::int32_t state = buckets_[now][i];
            if (distances[at(state)] != distance) {
                continue;
            }
            work_ += system.starts[at(state) + 1] - system.starts[at(state)];
            for (std::size_t arc = system.starts[at(state)]; arc < system.starts[at(state) + 1]; ++arc) {
                const auto [from, group] = system.arcs[arc];
                const std::int32_t cost = group_costs_[at(group)];
                if (cost != kUnreachable && distance + cost < distances[at(from)]) {
                    reach(from, distance + cost);
                }
            }
        }
        buckets_[now].clear();
    }
}

// A label that no step needs can lead nowhere from where its goal is in reach: for all that are asked later it is gone.
// So is one that an abstraction can take nowhere.
void SharedCosts::give_back(const System& system, const std::vector<std::int32_t>& distances, Costs& left) {
    const bool general = saturation_ == Saturation::kGeneral;
    for (const auto& group : system.labelled.groups) {
        work_ += group.moves.size();
        const std::int32_t need = need_of(group, distances);
        for (const std::int32_t label : group.labels) {
            std::int32_t& own = left[at(label)];
            if (own == kUnreachable) {
                continue;
            }
            own = !general ? own - std::max(0, need) : need == kNothing ? kUnreachable : own - need;
        }
    }
    for (const std::int32_t label : general ? system.never : std::vector<std::int32_t>{}) {
        left[at(label)] = kUnreachable;
    }
}

void SharedCosts::take(std::size_t system, Costs& left, std::vector<std::int32_t>& distances) {
    measure(systems_[system], left, distances);
    give_back(systems_[system], distances, left);
}

// Each alone, and what it takes from the others: of a label that is not enough for all.
void SharedCosts::weigh() {
    std::vector<std::int64_t> wanted(costs_.size(), 0);
    std::vector<Costs> wants;
    for (const System& system : systems_) {
        std::vector<std::int32_t> distances;
        measure(system, costs_, distances);
        Costs& own = wants.emplace_back(costs_.size(), 0);
        for (const auto& group : system.labelled.groups) {
            const std::int32_t need = std::max(0, need_of(group, distances));
            for (const std::int32_t label : group.labels) {
                own[at(label)] = need;
                wanted[at(label)] += need;
            }
        }
        alone_.push_back(std::move(distances));
    }
    for (const Costs& own : wants) {
        std::int64_t stolen = 0;
        for (std::size_t label = 0; label < costs_.size(); ++label) {
            stolen += std::clamp<std::int64_t>(wanted[label] - costs_[label], 0, own[label]);
        }
        stolen_.push_back(stolen);
    }
}

CostPartition::CostPartition(SharedCosts& shared, const SharedCosts::Order& order) {
    SharedCosts::Costs left = shared.costs();
    std::vector<std::int32_t> distances;
    for (const std::int32_t system : order) {
        shared.take(at(system), left, distances);
        const bool tells = [&] {
            for (std::size_t state = 0; state < distances.size(); ++state) {
                if (distances[state] > 0 && !shared.is_dead(at(system), static_cast<std::int32_t>(state))) {
                    return true;
                }
            }
            return false;
        }();
        if (tells) {
            tables_.push_back({system, distances});
        }
    }
}

std::int32_t CostPartition::operator()(SharedCosts::Places places) const {
    std::int64_t sum = 0;
    for (const Table& table : tables_) {
        const std::int32_t place = places[at(table.system)];
        if (place < 0) {
            continue; // a value that the task does not speak of: nothing is known
        }
        const std::int32_t distance = table.distances[at(place)];
        if (distance == kUnreachable) {
            return kUnreachable;
        }
        sum += distance;
    }
    return static_cast<std::int32_t>(std::min<std::int64_t>(sum, kUnreachable - 1));
}

std::size_t CostPartition::entries() const {
    std::size_t count = 0;
    for (const Table& table : tables_) {
        count += table.distances.size();
    }
    return count;
}

} // namespace beeline
