#include "abstraction/abstraction.hpp"

#include "abstraction/label_reduction.hpp"
#include "heuristic/estimator.hpp"

#include <algorithm>
#include <numeric>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::int64_t kDirectSpan = 1 << 16; // values up to so far apart are looked up in an array
static_assert(kUnreachable == kDeadEnd);      // distances are handed out as they are

constexpr std::size_t kMostReductions = 200000; // labels times systems for which all systems' labels are reduced

} // namespace

// Values

ValueMap::ValueMap(const std::vector<std::int32_t>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    low_ = *low;
    if (std::int64_t{*high} - *low < kDirectSpan) {
        direct_.assign(static_cast<std::size_t>(*high - *low) + 1, kUnseen);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (direct_.empty()) {
            sorted_.emplace_back(values[i], static_cast<std::int32_t>(i));
        } else {
            direct_[at(values[i] - low_)] = static_cast<std::int32_t>(i);
        }
    }
    std::sort(sorted_.begin(), sorted_.end());
}

std::int32_t ValueMap::operator[](std::int32_t value) const {
    if (!direct_.empty()) {
        const std::int64_t offset = std::int64_t{value} - low_;
        return offset >= 0 && offset < static_cast<std::int64_t>(direct_.size())
                   ? direct_[static_cast<std::size_t>(offset)]
                   : kUnseen;
    }
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{value, kNoState});
    return found != sorted_.end() && found->first == value ? found->second : kUnseen;
}

bool ValueMap::knows(std::int32_t value) const { return (*this)[value] != kUnseen; }

void ValueMap::rename(const std::vector<std::int32_t>& names) {
    const auto renamed = [&](std::int32_t& state) { state = state < 0 ? state : names[at(state)]; };
    std::for_each(direct_.begin(), direct_.end(), renamed);
    for (auto& [value, state] : sorted_) {
        renamed(state);
    }
}

// Building

Abstraction::Abstraction(const FactoredTask& task, const AbstractionOptions& options, Allowance& allowance)
    : bound_(std::max(2, options.states)), work_left_(options.work), entries_left_(options.entries) {
    hopeless_ = task.is_hopeless();
    if (hopeless_) {
        return;
    }
    make_leaves(task, options);
    compose_all(options, allowance);
    keep_roots();
    systems_.clear();
    labels_.clear();
    label_of_.clear();
}

void Abstraction::make_leaves(const FactoredTask& task, const AbstractionOptions& options) {
    leaves_ = options.factors;
    if (leaves_.empty()) {
        leaves_.resize(task.factors().size());
        std::iota(leaves_.begin(), leaves_.end(), 0);
    }
    std::vector<std::int32_t> system_of(task.factors().size(), -1);
    for (const std::int32_t factor : leaves_) {
        const Factor& from = task.factors()[at(factor)];
        system_of[at(factor)] = static_cast<std::int32_t>(systems_.size());
        TransitionSystem system;
        system.states = static_cast<std::int32_t>(from.values.size());
        system.initial = from.initial;
        system.goal = from.goal;
        system.relations = from.relations;
        systems_.push_back(std::move(system));
        pruned_.push_back(0);
        Node leaf;
        leaf.values = ValueMap(from.values);
        leaf.fixed = from.cell < 0;
        leaf.factor = factor;
        if (!leaf.fixed) {
            leaf.place = task.task().program().packing[at(from.cell)];
        }
        node_of_.push_back(static_cast<std::int32_t>(nodes_.size()));
        nodes_.push_back(std::move(leaf));
    }
    for (Label label : task.labels()) {
        std::erase_if(label.uses, [&](const Use& use) { return system_of[at(use.system)] < 0; });
        for (Use& use : label.uses) {
            use.system = system_of[at(use.system)];
        }
        std::sort(label.uses.begin(), label.uses.end());
        if (options.labelled) {
            const bool stays = label.uses.empty();
            label_of_.push_back(stays ? LabelledSystem::kStays : static_cast<std::int32_t>(labels_.size()));
        }
        if (!label.uses.empty()) {
            labels_.push_back(std::move(label));
        }
    }
}

void Abstraction::compose_all(const AbstractionOptions& options, Allowance& allowance) {
    for (std::size_t i = 0; i < systems_.size() && !hopeless_ && !late_; ++i) {
        settle(static_cast<std::int32_t>(i), options);
        late_ = allowance.is_over();
    }
    while (!hopeless_ && !late_) {
        const auto pair = next_pair(systems_, labels_, options.order);
        if (!pair || !join(pair->first, pair->second, options)) {
            return;
        }
        const bool goes_on = !hopeless_ && next_pair(systems_, labels_, options.order);
        if (goes_on && systems_[at(pair->first)].states > bound_) {
            shrink(pair->first, bound_, options.shrink);
            settle(pair->first, options);
        }
        late_ = goes_on && allowance.is_over();
    }
}

// Labels, distances, and what can be left out of a system after it was changed.
void Abstraction::settle(std::int32_t which, const AbstractionOptions& options) {
    TransitionSystem& system = systems_[at(which)];
    const bool composed = nodes_[at(node_of_[at(which)])].left >= 0;
    if (options.reduce && (composed || labels_.size() * systems_.size() < kMostReductions)) {
        reduce(which);
    }
    measure(system, relation_costs(system, labels_, which));
    prune(which);
    if (options.reduce && !hopeless_ && labels_.size() * systems_.size() < kMostReductions) {
        for (std::size_t i = 0; i < systems_.size(); ++i) {
            const auto other = static_cast<std::int32_t>(i);
            if (systems_[i].states > 0 && !systems_[i].distances.empty() && has_combinable_labels(other, labels_)) {
                reduce(other);
            }
        }
    }
}

void Abstraction::reduce(std::int32_t which) {
    const std::vector<std::int32_t> names = reduce_labels(systems_[at(which)], which, labels_);
    for (std::int32_t& label : label_of_) {
        label = label < 0 ? label : names[at(label)];
    }
}

void Abstraction::prune(std::int32_t which) {
    TransitionSystem& system = systems_[at(which)];
    std::int32_t useful = 0;
    const std::vector<std::int32_t> names = names_of_useful(system, useful);
    if (useful == 0) {
        hopeless_ = true; // a proof that the goal is out of reach
        return;
    }
    if (useful < system.states) {
        pruned_[at(which)] = 1;
        rename(which, names, useful);
    }
}

void Abstraction::rename(std::int32_t which, const std::vector<std::int32_t>& names, std::int32_t states) {
    TransitionSystem& system = systems_[at(which)];
    system = renamed(system, names, states);
    measure(system, relation_costs(system, labels_, which));
    Node& node = nodes_[at(node_of_[at(which)])];
    node.values.rename(names);
    for (std::int32_t& state : node.table) {
        state = state == kNoState ? kNoState : names[at(state)];
    }
}

void Abstraction::shrink(std::int32_t which, std::int32_t most, Shrink how) {
    std::int32_t classes = 0;
    const std::vector<std::int32_t> names = classes_of(systems_[at(which)], most, how, classes);
    rename(which, names, classes);
}

// What the next composition may use of a budget. Those that are still to come need room, too; and one that fails has
// spent its share, so it is never more than a quarter.
std::size_t Abstraction::share_of(std::size_t budget) const {
    const auto left = std::count_if(systems_.begin(), systems_.end(), [](const auto& one) { return one.states > 0; });
    return budget * 4 / (std::max<std::size_t>(static_cast<std::size_t>(left), 13) + 3);
}

// Composes two systems. Where that is too much work, the larger one is shrunk first, and so is all that comes later;
// false if they are as small as can be.
bool Abstraction::join(std::int32_t left, std::int32_t right, const AbstractionOptions& options) {
    std::optional<Product> product;
    while (!product) {
        TransitionSystem& a = systems_[at(left)];
        TransitionSystem& b = systems_[at(right)];
        const bool fits = at(a.states) * at(b.states) <= share_of(entries_left_);
        if (fits) {
            product = compose(a, b, left, right, labels_, share_of(work_left_));
        }
        if (product) {
            break;
        }
        work_left_ -= fits ? share_of(work_left_) : 0;
        const std::int32_t larger = a.states >= b.states ? left : right;
        const std::int32_t states = systems_[at(larger)].states;
        if (states <= 2) {
            cut_ = true;
            return false;
        }
        bound_ = std::max(2, std::min(bound_, states / 2));
        shrink(larger, bound_, options.shrink);
    }
    Node node;
    node.left = node_of_[at(left)];
    node.right = node_of_[at(right)];
    node.columns = systems_[at(right)].states;
    node.table = std::move(product->table);
    systems_[at(left)] = std::move(product->system);
    systems_[at(right)] = TransitionSystem{};
    pruned_[at(left)] |= pruned_[at(right)];
    node_of_[at(left)] = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
    ++composed_;
    entries_left_ -= nodes_.back().table.size();
    work_left_ -= std::min(work_left_, systems_[at(left)].moves());
    settle(left, options);
    largest_ = std::max(largest_, systems_[at(left)].states);
    return true;
}

// What is left may be several systems: each alone is an abstraction, so the largest value counts. One that asks for
// nothing any more may still know dead ends, and the others count on that: moves to them are gone.
void Abstraction::keep_roots() {
    for (std::size_t i = 0; i < systems_.size() && !hopeless_; ++i) {
        if (systems_[i].states > 0 && (!systems_[i].is_trivial() || pruned_[i] != 0)) {
            // Labels may have gone since the system was measured, because others could not take them.
            measure(systems_[i], relation_costs(systems_[i], labels_, static_cast<std::int32_t>(i)));
            if (!label_of_.empty()) {
                labelled_.push_back(labelled(static_cast<std::int32_t>(i)));
            }
            roots_.push_back({node_of_[i], std::move(systems_[i].distances)});
        }
    }
    drop_unused();
    states_.assign(nodes_.size(), kNoState);
    raw_.assign(nodes_.size(), 0);
    moved_.assign(nodes_.size(), 1);
}

// Labels of the task that were reduced to one have the same moves.
LabelledSystem Abstraction::labelled(std::int32_t which) const {
    const TransitionSystem& system = systems_[at(which)];
    LabelledSystem made;
    made.states = system.states;
    made.goal = system.goal;
    for (const Relation& relation : system.relations) {
        auto& group = made.groups.emplace_back();
        for (const Move& move : relation) {
            if (move.from == move.to) {
                group.stays = true;
            } else {
                group.moves.push_back(move);
            }
        }
    }
    for (std::size_t label = 0; label < label_of_.size(); ++label) {
        std::int32_t group = label_of_[label];
        if (group >= 0) {
            const std::vector<Use>& uses = labels_[at(group)].uses;
            const auto use =
                std::find_if(uses.begin(), uses.end(), [&](const Use& one) { return one.system == which; });
            group = use == uses.end() ? LabelledSystem::kStays : use->relation;
        }
        made.group_of.push_back(group);
        if (group >= 0) {
            made.groups[at(group)].labels.push_back(static_cast<std::int32_t>(label));
        }
    }
    return made;
}

// Trees of systems that ask for nothing need no lookups.
void Abstraction::drop_unused() {
    std::vector<std::int32_t> names(nodes_.size(), -1);
    for (const Root& root : roots_) {
        names[at(root.node)] = 0;
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        if (names[i] == 0 && nodes_[i].left >= 0) {
            names[at(nodes_[i].left)] = names[at(nodes_[i].right)] = 0;
        }
    }
    std::int32_t count = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (names[i] < 0) {
            continue;
        }
        Node node = std::move(nodes_[i]);
        if (node.left >= 0) {
            node.left = names[at(node.left)];
            node.right = names[at(node.right)];
        }
        names[i] = count;
        nodes_[at(count++)] = std::move(node);
    }
    nodes_.resize(at(count));
    for (Root& root : roots_) {
        root.node = names[at(root.node)];
    }
}

std::size_t Abstraction::bytes() const {
    std::size_t total = 0;
    for (const Node& node : nodes_) {
        total += node.values.bytes() + node.table.size() * sizeof(std::int32_t);
    }
    for (const Root& root : roots_) {
        total += root.distances.size() * sizeof(std::int32_t);
    }
    return total;
}

// Looking up

// The states of all nodes; false if the task does not speak of a value.
template <class Value>
bool Abstraction::follow(const Value& value_of) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.left < 0) {
            const std::int32_t value = value_of(node);
            moved_[i] = fresh_ || value != raw_[i];
            if (moved_[i] != 0) {
                if (!node.values.knows(value)) {
                    fresh_ = true;
                    return false;
                }
                raw_[i] = value;
                states_[i] = node.values[value];
            }
            continue;
        }
        moved_[i] = moved_[at(node.left)] | moved_[at(node.right)];
        if (moved_[i] != 0) {
            const std::int32_t left = states_[at(node.left)];
            const std::int32_t right = states_[at(node.right)];
            states_[i] = left < 0 || right < 0 ? kNoState : node.table[at(left) * at(node.columns) + at(right)];
        }
    }
    fresh_ = false;
    return true;
}

template <class Value>
std::int32_t Abstraction::look_up(const Value& value_of) {
    if (hopeless_) {
        return kDeadEnd;
    }
    if (!follow(value_of)) {
        return 0; // nothing is known
    }
    std::int32_t found = 0;
    for (const Root& root : roots_) {
        const std::int32_t state = states_[at(root.node)];
        if (state == kNoState) {
            return kDeadEnd;
        }
        found = std::max(found, root.distances[at(state)]);
    }
    return found;
}

template <class Value>
void Abstraction::find_roots(const Value& value_of, std::int32_t* found) {
    const bool known = follow(value_of);
    for (const Root& root : roots_) {
        *found++ = known ? states_[at(root.node)] : kNotKnown;
    }
}

namespace {

template <class Leaf>
auto value_in(const Word* words) {
    return [words](const Leaf& leaf) {
        const std::uint32_t bits = (words[leaf.place.word] >> leaf.place.shift) & leaf.place.mask;
        return leaf.fixed ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(leaf.place.low) + bits);
    };
}

} // namespace

std::int32_t Abstraction::estimate(const Word* words) { return look_up(value_in<Node>(words)); }

void Abstraction::find(const Word* words, std::int32_t* found) { find_roots(value_in<Node>(words), found); }

void Abstraction::find_at(const FactoredTask& task, const std::vector<std::int32_t>& states, std::int32_t* found) {
    find_roots([&](const Node& leaf) { return task.factors()[at(leaf.factor)].values[at(states[at(leaf.factor)])]; },
               found);
}

std::int32_t Abstraction::add_to(Lookup& lookup) const {
    if (hopeless_) {
        return lookup.constant(kDeadEnd);
    }
    std::vector<std::int32_t> names, leaves, distances{lookup.constant(0)};
    for (const Node& node : nodes_) {
        if (node.left >= 0) {
            names.push_back(lookup.at_pair(names[at(node.left)], names[at(node.right)], node.columns, node.table));
            continue;
        }
        if (node.fixed) {
            names.push_back(lookup.constant(node.values[0]));
        } else if (node.values.is_direct()) {
            const ValueMap& values = node.values;
            names.push_back(lookup.at_cell(node.place.cell, values.low(), values.direct(), Lookup::kUnknown));
        } else {
            return -1;
        }
        leaves.push_back(names.back());
    }
    for (const Root& root : roots_) {
        distances.push_back(lookup.distance(names[at(root.node)], root.distances));
    }
    const std::int32_t largest = lookup.join(Lookup::Kind::kMaximum, std::move(distances));
    return leaves.empty() ? largest : lookup.if_known(largest, std::move(leaves));
}

std::int32_t Abstraction::estimate_at(const FactoredTask& task, const std::vector<std::int32_t>& states) {
    return look_up(
        [&](const Node& leaf) { return task.factors()[at(leaf.factor)].values[at(states[at(leaf.factor)])]; });
}

} // namespace beeline
