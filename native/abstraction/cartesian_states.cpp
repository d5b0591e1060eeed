#include "abstraction/cartesian_states.hpp"

#include <algorithm>
#include <map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

// The tree

SplitTree::SplitTree(const FactoredTask& task, const RelationSets& sets) : nodes_(1), node_of_(1, 0) {
    for (std::size_t i = 0; i < task.factors().size(); ++i) {
        const Factor& factor = task.factors()[i];
        Place place;
        place.fixed = factor.cell < 0;
        place.values = ValueMap(factor.values);
        if (!place.fixed) {
            place.packing = task.task().program().packing[at(factor.cell)];
        }
        places_.push_back(std::move(place));
        words_.push_back(sets.words(i));
    }
}

template <class State>
std::int32_t SplitTree::descend(const State& state_of) const {
    const Node* node = nodes_.data();
    while (node->factor >= 0) {
        const std::int32_t state = state_of(node->factor);
        if (state < 0) {
            return kNoState;
        }
        const bool inside = has({sets_.data() + node->set, words_[at(node->factor)]}, state);
        node = &nodes_[at(inside ? node->inside : node->outside)];
    }
    return node->inside;
}

std::int32_t SplitTree::find(const Word* words) const {
    return descend([&](std::int32_t factor) {
        const Place& place = places_[at(factor)];
        const Packing& cell = place.packing;
        const std::uint32_t bits = (words[cell.word] >> cell.shift) & cell.mask;
        return place.values[place.fixed ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(cell.low) + bits)];
    });
}

std::int32_t SplitTree::find_at(const std::vector<std::int32_t>& states) const {
    return descend([&](std::int32_t factor) { return states[at(factor)]; });
}

void SplitTree::split(std::int32_t leaf, std::int32_t factor, SetView set, std::int32_t other) {
    const auto inside = static_cast<std::int32_t>(nodes_.size());
    Node& node = nodes_[at(node_of_[at(leaf)])];
    node.factor = factor;
    node.set = sets_.size();
    node.inside = inside;
    node.outside = inside + 1;
    sets_.insert(sets_.end(), set.begin(), set.end());
    nodes_.push_back({-1, other, 0, 0});
    nodes_.push_back({-1, leaf, 0, 0});
    node_of_.resize(std::max(node_of_.size(), at(other) + 1));
    node_of_[at(other)] = inside;
    node_of_[at(leaf)] = inside + 1;
}

std::size_t SplitTree::bytes() const { return nodes_.size() * sizeof(Node) + sets_.size() * sizeof(SetWord); }

// States

CartesianStates::CartesianStates(const FactoredTask& task, const CartesianAim& aim)
    : relations_(task), tree_(task, relations_), aim_(aim), factors_(task.factors().size()),
      labels_(task.labels().size()), goal_(1, 1), outgoing_(1), incoming_(1) {
    for (std::size_t i = 0; i < factors_; ++i) {
        std::vector<SetWord> all(relations_.words(i), 0);
        for (std::size_t state = 0; state < task.factors()[i].values.size(); ++state) {
            put(all, static_cast<std::int32_t>(state));
        }
        places_.push_back(add_set(all));
    }
    // Where the goal is all that lies outside a product, what does so is parted from the rest, factor by factor.
    for (std::size_t i = 0; aim_.outside && i < factors_; ++i) {
        std::vector<SetWord> away(relations_.words(i), 0);
        for (std::size_t state = 0; state < aim_.sets[i].size(); ++state) {
            if (aim_.sets[i][state] == 0) {
                put(away, static_cast<std::int32_t>(state));
            }
        }
        if (!is_empty(away)) {
            split(0, static_cast<std::int32_t>(i), away);
        }
    }
    if (aim_.outside) {
        goal_[0] = 0;
    }
}

std::size_t CartesianStates::add_set(SetView set) {
    const std::size_t place = pool_.size();
    pool_.insert(pool_.end(), set.begin(), set.end());
    return place;
}

SetView CartesianStates::set(std::int32_t state, std::int32_t factor) const {
    return {pool_.data() + places_[at(state) * factors_ + at(factor)], relations_.words(at(factor))};
}

std::int32_t CartesianStates::split(std::int32_t state, std::int32_t factor, SetView wanted) {
    const std::int32_t made = count();
    part_sets(state, made, factor, wanted);
    tree_.split(state, factor, wanted, made);
    outgoing_.emplace_back();
    incoming_.emplace_back();
    goal_.push_back(goal_[at(state)]);
    settle_goal(state);
    settle_goal(made);
    part_incoming(state, made, factor);
    part_outgoing(state, made, factor);
    join_parts(state, made, factor);
    return made;
}

void CartesianStates::part_sets(std::int32_t state, std::int32_t made, std::int32_t factor, SetView wanted) {
    std::vector<SetWord> rest;
    const SetView whole = set(state, factor);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        rest.push_back(whole[i] & ~wanted[i]);
    }
    const std::vector<SetWord> own(wanted.begin(), wanted.end());
    const std::size_t first = at(state) * factors_;
    for (std::size_t i = 0; i < factors_; ++i) {
        places_.push_back(places_[first + i]);
    }
    places_[first + at(factor)] = add_set(rest);
    places_[at(made) * factors_ + at(factor)] = add_set(own);
}

// A state is a goal if one of those that it stands for is. What lies outside the product of sets was parted from the
// rest at the beginning, so that all parts of a state are then what it was itself.
void CartesianStates::settle_goal(std::int32_t state) {
    for (std::size_t i = 0; !aim_.outside && i < factors_ && goal_[at(state)] != 0; ++i) {
        const SetView own = set(state, static_cast<std::int32_t>(i));
        bool meets = false;
        for (std::size_t value = 0; value < aim_.sets[i].size() && !meets; ++value) {
            meets = aim_.sets[i][value] != 0 && has(own, static_cast<std::int32_t>(value));
        }
        goal_[at(state)] = meets ? 1 : 0;
    }
}

void CartesianStates::add(std::int32_t from, std::int32_t label, std::int32_t to) {
    outgoing_[at(from)].push_back({label, to});
    incoming_[at(to)].push_back({label, from});
    ++steps_;
}

void CartesianStates::drop(std::vector<Step>& steps, std::int32_t other) {
    std::erase_if(steps, [other](const Step& step) { return step.other == other; });
}

// Sets of other factors are what they were, so that each step needs a look at one factor only.
void CartesianStates::part_incoming(std::int32_t state, std::int32_t made, std::int32_t factor) {
    std::vector<Step> old;
    old.swap(incoming_[at(state)]);
    for (const Step& step : old) {
        drop(outgoing_[at(step.other)], state);
    }
    steps_ -= old.size();
    for (const auto& [label, other] : old) {
        const std::int32_t relation = relations_.relation(label, factor);
        work_ += 2;
        for (const std::int32_t part : {state, made}) {
            if (relations_.connects(factor, relation, set(other, factor), set(part, factor))) {
                add(other, label, part);
            }
        }
    }
}

void CartesianStates::part_outgoing(std::int32_t state, std::int32_t made, std::int32_t factor) {
    std::vector<Step> old;
    old.swap(outgoing_[at(state)]);
    for (const Step& step : old) {
        drop(incoming_[at(step.other)], state);
    }
    steps_ -= old.size();
    for (const auto& [label, other] : old) {
        const std::int32_t relation = relations_.relation(label, factor);
        work_ += 2;
        for (const std::int32_t part : {state, made}) {
            if (relations_.connects(factor, relation, set(part, factor), set(other, factor))) {
                add(part, label, other);
            }
        }
    }
}

// What could leave the state as it was may now lead from one part to the other.
void CartesianStates::join_parts(std::int32_t state, std::int32_t made, std::int32_t factor) {
    for (const std::int32_t label : relations_.labels_of(at(factor))) {
        const std::int32_t relation = relations_.relation(label, factor);
        const SetView rest = set(state, factor);
        const SetView own = set(made, factor);
        work_ += 2;
        const bool there = relations_.connects(factor, relation, rest, own);
        const bool back = relations_.connects(factor, relation, own, rest);
        if ((!there && !back) || !may_stay(label, state, factor)) {
            continue;
        }
        if (there) {
            add(state, label, made);
        }
        if (back) {
            add(made, label, state);
        }
    }
}

bool CartesianStates::may_stay(std::int32_t label, std::int32_t state, std::int32_t except) const {
    for (const auto& [factor, relation] : relations_.uses(label)) {
        ++work_;
        const SetView own = set(state, factor);
        if (factor != except && !relations_.connects(factor, relation, own, own)) {
            return false;
        }
    }
    return true;
}

LabelledSystem CartesianStates::system() const {
    LabelledSystem made;
    made.states = count();
    made.goal = goal_;
    std::vector<Relation> moves(labels_);
    for (std::int32_t state = 0; state < count(); ++state) {
        for (const auto& [label, other] : outgoing(state)) {
            moves[at(label)].push_back({state, other});
        }
    }
    std::map<std::pair<Relation, bool>, std::int32_t> known;
    for (std::size_t i = 0; i < labels_; ++i) {
        const auto label = static_cast<std::int32_t>(i);
        bool stays = false;
        for (std::int32_t state = 0; state < count() && !stays; ++state) {
            stays = may_stay(label, state, -1);
        }
        if (moves[i].empty()) {
            made.group_of.push_back(stays ? LabelledSystem::kStays : LabelledSystem::kNever);
            continue;
        }
        std::sort(moves[i].begin(), moves[i].end());
        const auto next = static_cast<std::int32_t>(made.groups.size());
        const auto [place, fresh] = known.try_emplace({std::move(moves[i]), stays}, next);
        if (fresh) {
            made.groups.push_back({place->first.first, stays, {}});
        }
        made.groups[at(place->second)].labels.push_back(label);
        made.group_of.push_back(place->second);
    }
    return made;
}

} // namespace beeline
