// The layers of many states at once. Each state is a lane, a bit in words of 64: a fact knows in which lanes it is
// true, and a step of the propagation serves all lanes that reach a fact in the same layer. States that a search meets
// together differ little, so that this takes a fraction of one propagation (see RelaxedLayers) for each of them.
//
// Two processes that make a step together are an operator for each pair of places that they can be in. A condition that
// leads to an effect is an edge here, and the other condition's alternatives are a gate before it, which opens with the
// first of them: edges and gates are far fewer than pairs, and nothing of the layers changes.
#pragma once

#include "heuristic/relaxation.hpp"
#include "heuristic/relaxed_plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace beeline {

class BatchRelaxation {
public:
    static constexpr std::size_t kCount = 64;
    static constexpr std::int32_t kNever = 1 << 28; // larger than every cost
    static constexpr std::int32_t kUnknown = -1;
    static constexpr std::int32_t kSeveral = -1;

    // The relaxation must suit RelaxedLayers. With `keeps_levels`, the levels of facts can be asked for, and few layers
    // are told apart.
    BatchRelaxation(const Relaxation& relaxation, bool may_remove, bool keeps_levels);

    // Forgets all lanes.
    void clear();
    // One more lane, with these facts to begin with and without the `removed` operators, which must be none unless the
    // relaxation may remove.
    void add(const std::vector<std::int32_t>& facts, const std::vector<std::int32_t>& removed);
    // All layers up to the goals of the lanes.
    void propagate();

    // Of the last propagation.

    std::size_t size() const { return size_; }
    // What the goal costs: kNever if it cannot be had, kUnknown if there are too many layers.
    std::int32_t cost(std::size_t lane) const { return cost_[lane]; }
    // The goal that was reached first; kSeveral if there are more, none of which is a failing step.
    std::int32_t goal(std::size_t lane) const { return goal_[lane]; }
    // Levels of all facts, right up to the goal's; others are higher. Valid until the next call.
    RelaxedPlan::Levels levels(std::size_t lane);

private:
    using Small = std::uint16_t;
    using Mask = std::uint64_t;               // lanes
    static constexpr std::size_t kPlanes = 7; // of levels; one more for facts that are not reached

    template <class Item>
    struct Rows {
        std::vector<std::uint32_t> starts{0};
        std::vector<Item> items;
        void add(const std::vector<Item>& row) {
            items.insert(items.end(), row.begin(), row.end());
            starts.push_back(static_cast<std::uint32_t>(items.size()));
        }
    };
    // An edge behind its source, and a gate that the source opens.
    struct Entry {
        Small target, gate, opens;
    };
    struct Edge {
        Small source, target;
    };
    struct Fact {
        Mask reached = 0;
        Mask now = 0;  // reached in this layer
        Mask next = 0; // in the next one
    };
    struct Gate {
        Mask open = 0;
        Mask next = 0; // opened by this layer's facts
    };

    void take_apart(const Relaxation& relaxation, bool may_remove);
    void add_edges(const Relaxation& relaxation, const std::vector<std::int32_t>& pairs);
    void commit(std::int32_t layer);
    void follow(Small fact);
    void fire(Small op, Mask lanes);
    void reach(Small fact, Mask lanes);
    void open_gates();
    void touch_goal(Small op);
    void note_goals(std::int32_t layer);
    void fill_block(std::size_t number);

    // The task
    Small nothing_; // a fact that is always true, for entries without an edge
    Small closed_;  // a gate that is always open, for entries that open none
    std::int32_t first_goal_;
    bool keeps_levels_;
    std::int32_t layers_;              // that are told apart
    Rows<Entry> entries_;              // by fact
    Rows<Edge> behind_;                // by gate
    Rows<Small> needing_;              // by fact: operators that are looked at as a whole, and goals
    Rows<Small> conditions_, effects_; // of all operators
    std::vector<Small> unconditional_;
    std::vector<Small> blocker_; // by operator: a condition that was not reached when it was last looked at
    std::vector<std::int32_t> goal_costs_;

    // The batch
    std::size_t size_ = 0;
    Mask wanted_ = 0, found_ = 0;
    std::vector<Fact> facts_;
    std::vector<Gate> gates_;
    std::vector<Mask> absent_;                   // by operator; empty if none can be removed
    std::vector<Small> changed_, next_, opened_; // one place more than can be filled
    std::size_t changes_ = 0, nexts_ = 0, openings_ = 0;
    std::vector<Small> touched_; // goals
    std::vector<std::uint8_t> is_touched_;
    std::array<std::vector<Mask>, kPlanes> planes_; // by fact: the bits of its level
    std::size_t planes_used_ = 0;
    std::vector<RelaxedPlan::Bytes> block_; // by fact: its levels in some neighbouring lanes
    std::size_t block_number_ = kCount;
    std::array<std::int32_t, kCount> cost_{}, goal_{};
};

} // namespace beeline
