// How many ways lead from a state through an uninterrupted run to its end, where states in between are put off and
// expanded one after another. `pan` follows each way to its end and so counts it; here one that meets another is not
// followed, but counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

// Nodes are numbers: 0 is the state from which all ways come.
class WayCounter {
public:
    void clear() {
        passages_.clear();
        arcs_.clear();
    }
    // A step leads from a node to another one in the middle of a run.
    void add(std::size_t from, std::size_t to) { passages_.emplace_back(from, to); }
    // So many arcs lead from a node to the end of the run.
    void end(std::size_t node, std::size_t arcs) {
        if (node >= arcs_.size()) {
            arcs_.resize(node + 1);
        }
        arcs_[node] += arcs;
    }
    // The number of ways beyond one for each arc. Ways that go in circles do not count.
    std::uint64_t repeated() const {
        const std::size_t nodes = arcs_.size();
        std::vector<std::size_t> first(nodes + 1), entries(nodes), targets(passages_.size());
        for (const auto& [from, to] : passages_) {
            ++first[from];
            ++entries[to];
        }
        for (std::size_t sum = 0, i = 0; i <= nodes; ++i) {
            first[i] = sum += first[i];
        }
        for (const auto& [from, to] : passages_) {
            targets[--first[from]] = to;
        }
        // In topological order: the ways to a node are known when all nodes before it are done.
        std::vector<std::uint64_t> ways(nodes);
        std::vector<std::size_t> ready{0};
        ways[0] = 1;
        std::uint64_t more = 0;
        while (!ready.empty()) {
            const std::size_t node = ready.back();
            ready.pop_back();
            more += (ways[node] - 1) * arcs_[node];
            for (std::size_t i = first[node]; i < first[node + 1]; ++i) {
                ways[targets[i]] += ways[node];
                if (--entries[targets[i]] == 0) {
                    ready.push_back(targets[i]);
                }
            }
        }
        return more;
    }

private:
    std::vector<std::pair<std::size_t, std::size_t>> passages_;
    std::vector<std::uint64_t> arcs_; // by node
};

} // namespace beeline
