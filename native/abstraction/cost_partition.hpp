// Saturated cost partitioning: several abstractions share the costs of labels, so that their distances may be added.
// They are asked one after the other; each is given what is left of the costs, and gives back what its distances do not
// need (Seipp, Keller, Helmert, "Saturated cost partitioning for optimal classical planning", JAIR 67, 2020).
#pragma once

#include "abstraction/labelled_system.hpp"
#include "abstraction/relation_sets.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace beeline {

// What can be given back of a label's cost.
enum class Saturation : std::uint8_t {
    kGeneral,     // also more than it cost: where an abstraction's steps by it only lead away from the goal
    kNonNegative, // at most all of it
};

// Abstractions that share costs, ready to be measured again and again.
class SharedCosts {
public:
    using Costs = std::vector<std::int32_t>;      // by label; kUnreachable: it can lead nowhere any more
    using Order = std::vector<std::int32_t>;      // of systems
    using Places = std::span<const std::int32_t>; // a state of each system

    SharedCosts(const FactoredTask& task, std::vector<LabelledSystem> systems, Saturation saturation);

    std::size_t size() const { return systems_.size(); }
    std::size_t states() const; // of all systems
    std::size_t steps() const;
    const Costs& costs() const { return costs_; }
    // Whether the goal is out of reach from a state, whatever labels cost.
    bool is_dead(std::size_t system, std::int32_t state) const {
        return alone_[system][static_cast<std::size_t>(state)] == kUnreachable;
    }
    // The distances with all of the costs.
    const std::vector<std::int32_t>& alone(std::size_t system) const { return alone_[system]; }
    // What of the costs a system would keep for itself, less what the others can do without.
    std::int64_t stolen(std::size_t system) const { return stolen_[system]; }

    // The distances of a system with what is left of the costs, which then is less by what they need.
    void take(std::size_t system, Costs& left, std::vector<std::int32_t>& distances);
    std::size_t work() const { return work_; }

private:
    struct Arc {
        std::int32_t from, group;
    };
    struct System {
        LabelledSystem labelled;
        std::vector<std::size_t> starts; // arcs by where they end
        std::vector<Arc> arcs;
        std::vector<std::int32_t> never; // labels
    };

    static void list_arcs(System& system);
    void measure(const System& system, const Costs& costs, std::vector<std::int32_t>& distances);
    void give_back(const System& system, const std::vector<std::int32_t>& distances, Costs& left);
    void weigh();

    std::vector<System> systems_;
    Saturation saturation_;
    Costs costs_;
    std::vector<std::vector<std::int32_t>> alone_;
    std::vector<std::int64_t> stolen_;
    std::vector<std::vector<std::int32_t>> buckets_; // states by distance
    std::vector<std::int32_t> group_costs_;
    std::size_t work_ = 0;
};

// The tables of one order. Those of systems that add nothing are not kept.
class CostPartition {
public:
    CostPartition(SharedCosts& shared, const SharedCosts::Order& order);
    // The sum for a state that no system calls dead, or kUnreachable.
    std::int32_t operator()(SharedCosts::Places places) const;
    std::size_t entries() const;

private:
    struct Table {
        std::int32_t system;
        std::vector<std::int32_t> distances;
    };
    std::vector<Table> tables_;
};

} // namespace beeline
