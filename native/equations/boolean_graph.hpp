// Systems of boolean equations, as the solver sees them: variables that are disjunctions or conjunctions of others.
//
// Variables are in blocks. One depends on variables of its own block and of blocks with higher numbers only. In a block
// of least fixpoints a variable that nothing decides is false, in one of greatest fixpoints it is true; in a mixed one
// the variables are positions of a parity game, and their ranks decide (see parity_game.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

namespace beeline {

using Variable = std::uint32_t;
inline constexpr Variable kNoVariable = std::numeric_limits<Variable>::max();

enum class BlockKind : std::uint8_t { kLeast, kGreatest, kMixed };

// What is known of a variable without a look at others.
enum class Decided : std::uint8_t { kOpen, kFalse, kTrue };
inline Decided decided(bool value) { return value ? Decided::kTrue : Decided::kFalse; }

// Numbers its variables without gaps, in the order in which they are first mentioned.
template <class G>
concept BooleanGraph = requires(G graph, const G& view, Variable variable, std::vector<Variable>& out) {
    { view.blocks() } -> std::convertible_to<std::size_t>;
    { view.kind(/*block=*/std::size_t{}) } -> std::same_as<BlockKind>;
    { view.block(variable) } -> std::convertible_to<std::size_t>;
    { view.rank(variable) } -> std::convertible_to<std::uint32_t>;
    { view.is_disjunction(variable) } -> std::same_as<bool>;
    // Appends what a variable depends on, the same at each call, unless it is decided.
    { graph.successors(variable, out) } -> std::same_as<Decided>;
    // How far the variable may be from being decided; less is looked at first.
    { graph.estimate(variable) } -> std::convertible_to<std::uint32_t>;
};

} // namespace beeline
