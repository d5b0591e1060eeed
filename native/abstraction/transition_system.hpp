// One transition system of the product while it is composed and abstracted: states are numbers, moves are grouped into
// relations, and labels (which all systems share) say which relation they move it by.
#pragma once

#include "abstraction/factors.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace beeline {

constexpr std::int32_t kNoState = -1;
constexpr std::int32_t kUnreachable = std::numeric_limits<std::int32_t>::max();

struct TransitionSystem {
    std::int32_t states = 0;
    std::int32_t initial = 0;
    std::vector<std::uint8_t> goal;      // by state
    std::vector<Relation> relations;     // those of labels
    std::vector<std::int32_t> distances; // to the goal, if every label could be taken at any time

    std::size_t moves() const;
    // Whether the goal asks for nothing here.
    bool is_trivial() const;
};

// The least cost of a label that moves system `which` by each of its relations; kUnreachable for those of no label.
std::vector<std::int32_t> relation_costs(const TransitionSystem& system, const std::vector<Label>& labels,
                                         std::int32_t which);

// Fills in the distances.
void measure(TransitionSystem& system, const std::vector<std::int32_t>& costs);

// The system with states renamed; those that are renamed to kNoState are gone, with their moves. Several states may
// become one: then it can do what each of them could.
TransitionSystem renamed(const TransitionSystem& system, const std::vector<std::int32_t>& names, std::int32_t states);

// Names that drop the states from which the goal is out of reach. All are dropped if the initial state is.
std::vector<std::int32_t> names_of_useful(const TransitionSystem& system, std::int32_t& states);

// What `left` and `right` do together, as far as it is reachable, and the state of each pair (kNoState if none).
struct Product {
    TransitionSystem system;
    std::vector<std::int32_t> table; // left * right.states + right
};

// Nothing if there are more than `most_moves`. `labels` then speak of the product, as system `left`, instead of the
// two.
std::optional<Product> compose(const TransitionSystem& a, const TransitionSystem& b, std::int32_t left,
                               std::int32_t right, std::vector<Label>& labels, std::size_t most_moves);

} // namespace beeline
