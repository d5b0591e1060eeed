// The states of a Cartesian abstraction while it is refined: each is a product of sets, one for each factor, and a
// split of one set makes two of it. Steps are kept between different states only; whether a label may leave a state as
// it is can be told from the state's sets. How states were split is a tree, in which a state of the task finds its own.
#pragma once

#include "abstraction/abstraction.hpp"
#include "abstraction/labelled_system.hpp"
#include "abstraction/relation_sets.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

// The splits: finding the abstract state of a concrete one.
class SplitTree {
public:
    SplitTree(const FactoredTask& task, const RelationSets& sets);

    // The abstract state of a packed state; kNoState if it has a value that the task does not speak of.
    std::int32_t find(const Word* words) const;
    // The same of a state of the product, by factor.
    std::int32_t find_at(const std::vector<std::int32_t>& states) const;
    // From now on, states of `leaf` whose factor lies in `set` are those of `other`.
    void split(std::int32_t leaf, std::int32_t factor, SetView set, std::int32_t other);
    std::size_t bytes() const;

private:
    struct Node {
        std::int32_t factor = -1; // -1: a leaf
        std::int32_t inside = 0;  // the node of those in the set; of a leaf: the abstract state
        std::int32_t outside = 0;
        std::size_t set = 0;
    };
    struct Place {
        Packing packing{};
        bool fixed = false; // no cell stands for it
        ValueMap values;
    };
    template <class State>
    std::int32_t descend(const State& state_of) const;

    std::vector<Place> places_; // by factor
    std::vector<std::size_t> words_;
    std::vector<Node> nodes_;
    std::vector<SetWord> sets_;
    std::vector<std::int32_t> node_of_; // by abstract state
};

// What is aimed at: all states within a product of sets, or all that are not.
struct CartesianAim {
    std::vector<std::vector<std::uint8_t>> sets; // by factor and state
    bool outside = false;
};

class CartesianStates {
public:
    struct Step {
        std::int32_t label, other;
    };

    CartesianStates(const FactoredTask& task, const CartesianAim& aim);

    const RelationSets& relations() const { return relations_; }
    std::int32_t count() const { return static_cast<std::int32_t>(outgoing_.size()); }
    std::size_t steps() const { return steps_; }
    std::size_t work() const { return work_; } // how often a label was looked at
    SetView set(std::int32_t state, std::int32_t factor) const;
    bool is_goal(std::int32_t state) const { return goal_[static_cast<std::size_t>(state)] != 0; }
    const std::vector<Step>& outgoing(std::int32_t state) const { return outgoing_[static_cast<std::size_t>(state)]; }
    const std::vector<Step>& incoming(std::int32_t state) const { return incoming_[static_cast<std::size_t>(state)]; }

    // Parts a state in those within `wanted`, which are a new state with the number that is returned, and the rest.
    // Neither may be empty.
    std::int32_t split(std::int32_t state, std::int32_t factor, SetView wanted);

    LabelledSystem system() const;
    const SplitTree& tree() const { return tree_; }
    SplitTree take_tree() { return std::move(tree_); }

private:
    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
    std::size_t add_set(SetView set);
    void part_sets(std::int32_t state, std::int32_t made, std::int32_t factor, SetView wanted);
    void settle_goal(std::int32_t state);
    void add(std::int32_t from, std::int32_t label, std::int32_t to);
    void drop(std::vector<Step>& steps, std::int32_t other);
    void part_incoming(std::int32_t state, std::int32_t made, std::int32_t factor);
    void part_outgoing(std::int32_t state, std::int32_t made, std::int32_t factor);
    void join_parts(std::int32_t state, std::int32_t made, std::int32_t factor);
    bool may_stay(std::int32_t label, std::int32_t state, std::int32_t except) const;

    RelationSets relations_;
    SplitTree tree_;
    CartesianAim aim_;
    std::size_t factors_;
    std::size_t labels_;
    std::vector<SetWord> pool_;
    std::vector<std::size_t> places_; // by state and factor: where in the pool
    std::vector<std::uint8_t> goal_;
    std::vector<std::vector<Step>> outgoing_, incoming_;
    std::size_t steps_ = 0;
    mutable std::size_t work_ = 0;
};

} // namespace beeline
