// A heuristic that a device can compute, mostly by lookups in tables: nodes in order, each of which refers to nodes
// before it.
// The last one is the estimate.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

class Program;

struct Lookup {
    // Values of nodes: distances, where kDead is a dead end, or states of an abstraction, where negative ones are none.
    static constexpr std::int32_t kDead = std::numeric_limits<std::int32_t>::max();
    static constexpr std::int32_t kNowhere = -1; // from there nothing is reached
    static constexpr std::int32_t kUnknown = -2; // of a value that was never seen; counts more than kNowhere

    enum class Kind : std::uint8_t {
        kConstant, // value
        kCode,     // what the block `value` of `code` returns, 0 if that is negative or it fails
        kCell,     // the row's entry at the value of `cell` less `low`, or `otherwise`
        kPair,     // the row's entry at the state of node `left`, times `columns`, plus that of node `right`
        kDistance, // the row's entry at the state of node `left`
        kKnown,    // the value of node `left`, or 0 if one of the parts is kUnknown
        kMaximum,  // of the parts
        kMinimum,
        kSum,
    };
    struct Node {
        explicit Node(Kind its_kind) : kind(its_kind) {}
        Kind kind;
        std::int32_t value = 0, otherwise = 0; // of constants and cells
        std::shared_ptr<const Program> code;
        std::int32_t cell = -1, low = 0;
        std::int32_t left = -1, right = -1, columns = 0;
        std::size_t row = 0, size = 0; // where in the table, and how many entries
        std::vector<std::int32_t> parts;
    };

    std::vector<Node> nodes;
    std::vector<std::int32_t> table;

    // Each of these adds a node and returns its number.
    std::int32_t constant(std::int32_t value) {
        Node node(Kind::kConstant);
        node.value = value;
        return add(std::move(node));
    }
    std::int32_t computed(std::shared_ptr<const Program> code, std::int32_t block) {
        Node node(Kind::kCode);
        node.code = std::move(code);
        node.value = block;
        return add(std::move(node));
    }
    std::int32_t join(Kind how, std::vector<std::int32_t> parts) {
        Node node(how);
        node.parts = std::move(parts);
        return add(std::move(node));
    }
    // By the value of a cell.
    std::int32_t at_cell(std::int32_t cell, std::int32_t low, const std::vector<std::int32_t>& entries,
                         std::int32_t otherwise) {
        Node node(Kind::kCell);
        node.cell = cell;
        node.low = low;
        node.otherwise = otherwise;
        put(node, entries);
        return add(std::move(node));
    }
    std::int32_t at_pair(std::int32_t left, std::int32_t right, std::int32_t columns,
                         const std::vector<std::int32_t>& entries) {
        Node node(Kind::kPair);
        node.left = left;
        node.right = right;
        node.columns = columns;
        put(node, entries);
        return add(std::move(node));
    }
    std::int32_t distance(std::int32_t state, const std::vector<std::int32_t>& entries) {
        Node node(Kind::kDistance);
        node.left = state;
        put(node, entries);
        return add(std::move(node));
    }
    // `value` if all these states are known.
    std::int32_t if_known(std::int32_t value, std::vector<std::int32_t> states) {
        Node node(Kind::kKnown);
        node.left = value;
        node.parts = std::move(states);
        return add(std::move(node));
    }

private:
    std::int32_t add(Node node) {
        nodes.push_back(std::move(node));
        return static_cast<std::int32_t>(nodes.size()) - 1;
    }
    void put(Node& node, const std::vector<std::int32_t>& entries) {
        node.row = table.size();
        node.size = entries.size();
        table.insert(table.end(), entries.begin(), entries.end());
    }
};

// Whether a device has code for all expressions in it.
bool is_for_devices(const Lookup& lookup);
// The function `estimate` of a device's code for a program in its layout; 0 everywhere without lookups.
std::string estimate_function(const Lookup* lookup, const Program& program);

} // namespace beeline
