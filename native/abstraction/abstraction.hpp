// A heuristic by composing and abstracting: the systems of a product are composed two at a time, and what has
// too many states afterwards is shrunk, until one is left whose distances are looked up (Draeger, Finkbeiner and
// Podelski, SPIN 2006; Helmert, Haslum, Hoffmann and Nissim, "Merge-and-shrink abstraction", JACM 61, 2014). Without a
// bound, and for some of the systems only, that is a pattern database.
#pragma once

#include "abstraction/labelled_system.hpp"
#include "abstraction/merge_order.hpp"
#include "abstraction/shrink.hpp"
#include "gpu/lookup.hpp"
#include "space/space.hpp"
#include "task/allowance.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

struct AbstractionOptions {
    std::int32_t states = 1000; // of a composed system; the last one keeps all that it has
    MergeOrder order = MergeOrder::kRanking;
    Shrink shrink = Shrink::kNearFirst;
    bool reduce = true;                // labels
    std::size_t work = 40000000;       // moves of all products, those that were given up included
    std::size_t entries = 80000000;    // of all tables
    std::vector<std::int32_t> factors; // those to compose; none: all
    bool labelled = false;             // whether the systems that are left are wanted, too
};

// From a cell's value to a state.
class ValueMap {
public:
    ValueMap() = default;
    explicit ValueMap(const std::vector<std::int32_t>& values);
    std::int32_t operator[](std::int32_t value) const; // kNoState for one that was never seen
    void rename(const std::vector<std::int32_t>& names);
    bool knows(std::int32_t value) const;
    // Whether it is an array, from `low` on.
    bool is_direct() const { return !direct_.empty(); }
    std::int32_t low() const { return low_; }
    const std::vector<std::int32_t>& direct() const { return direct_; }
    std::size_t bytes() const { return direct_.size() * sizeof(std::int32_t) + sorted_.size() * sizeof(sorted_[0]); }

private:
    static constexpr std::int32_t kUnseen = Lookup::kUnknown;
    std::int32_t low_ = 0;
    std::vector<std::int32_t> direct_;
    std::vector<std::pair<std::int32_t, std::int32_t>> sorted_;
};

class Abstraction {
public:
    Abstraction(const FactoredTask& task, const AbstractionOptions& options, Allowance& allowance);

    // Steps that are missing at least from a packed state, or kDeadEnd. Looks up again only what has changed since the
    // last call.
    std::int32_t estimate(const Word* words);

    // The states of the systems that are left, into `found`: kNoState in one that has dropped it, and in all of them
    // kNotKnown for a value that the task does not speak of.
    static constexpr std::int32_t kNotKnown = -2;
    void find(const Word* words, std::int32_t* found);
    void find_at(const FactoredTask& task, const std::vector<std::int32_t>& states, std::int32_t* found);
    std::size_t roots() const { return roots_.size(); }
    bool is_hopeless() const { return hopeless_; }
    std::vector<LabelledSystem> take_systems() { return std::move(labelled_); }

    // Nodes that give the same values; see Estimator.
    std::int32_t add_to(Lookup& lookup) const;

    // The same for a state of the product, by factor.
    std::int32_t estimate_at(const FactoredTask& task, const std::vector<std::int32_t>& states);

    // What was built.
    std::size_t bytes() const;
    std::int32_t bound() const { return bound_; } // smaller than asked for if the work was too much
    std::size_t composed() const { return composed_; }
    std::int32_t largest() const { return largest_; }
    bool is_cut() const { return cut_; }   // some systems were not composed: the work was too much
    bool is_late() const { return late_; } // likewise: the time was up
    const std::vector<std::int32_t>& factors() const { return leaves_; }

private:
    struct Node {
        std::int32_t left = -1, right = -1;
        std::int32_t factor = -1;        // of a leaf
        Packing place{};                 // of its cell
        bool fixed = false;              // a leaf that no cell stands for
        ValueMap values;                 // of a leaf
        std::vector<std::int32_t> table; // of an inner node
        std::int32_t columns = 0;
    };

    void make_leaves(const FactoredTask& task, const AbstractionOptions& options);
    void compose_all(const AbstractionOptions& options, Allowance& allowance);
    std::size_t share_of(std::size_t budget) const;
    bool join(std::int32_t left, std::int32_t right, const AbstractionOptions& options);
    void shrink(std::int32_t which, std::int32_t most, Shrink how);
    void prune(std::int32_t which);
    void settle(std::int32_t which, const AbstractionOptions& options);
    void rename(std::int32_t which, const std::vector<std::int32_t>& names, std::int32_t states);
    // `value` gives that of a leaf's cell.
    template <class Value>
    bool follow(const Value& value);
    template <class Value>
    std::int32_t look_up(const Value& value);
    template <class Value>
    void find_roots(const Value& value, std::int32_t* found);
    void reduce(std::int32_t which);
    void keep_roots();
    LabelledSystem labelled(std::int32_t which) const;
    void drop_unused();

    std::vector<Node> nodes_;          // children before their parents
    std::vector<std::int32_t> leaves_; // factors
    struct Root {
        std::int32_t node;
        std::vector<std::int32_t> distances;
    };
    std::vector<Root> roots_;
    std::vector<LabelledSystem> labelled_;
    bool hopeless_ = false;
    bool cut_ = false;
    bool late_ = false;
    std::int32_t bound_ = 0;
    std::int32_t largest_ = 0;
    std::size_t composed_ = 0;
    std::size_t work_left_ = 0;
    std::size_t entries_left_ = 0;
    // While it is built.
    std::vector<TransitionSystem> systems_;
    std::vector<std::int32_t> node_of_; // by system
    std::vector<std::uint8_t> pruned_;  // by system: has dead ends
    std::vector<Label> labels_;
    std::vector<std::int32_t> label_of_; // by label of the task, where systems are wanted; see LabelledSystem
    // The last lookup.
    std::vector<std::int32_t> states_;
    std::vector<std::int32_t> raw_;
    std::vector<std::uint8_t> moved_;
    bool fresh_ = true;
};

} // namespace beeline
