#include "abstraction/transition_system.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// The moves of a system by where they begin.
struct Outgoing {
    struct Arc {
        std::int32_t relation, to;
    };
    std::vector<std::size_t> starts;
    std::vector<Arc> arcs; // of one state: by relation

    explicit Outgoing(const TransitionSystem& system) : starts(at(system.states) + 1, 0) {
        for (const Relation& relation : system.relations) {
            for (const Move& move : relation) {
                ++starts[at(move.from) + 1];
            }
        }
        for (std::size_t i = 1; i < starts.size(); ++i) {
            starts[i] += starts[i - 1];
        }
        arcs.resize(starts.back());
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        for (std::size_t i = 0; i < system.relations.size(); ++i) {
            for (const Move& move : system.relations[i]) {
                arcs[next[at(move.from)]++] = {static_cast<std::int32_t>(i), move.to};
            }
        }
    }

    const Arc* begin(std::int32_t state) const { return arcs.data() + starts[at(state)]; }
    const Arc* end(std::int32_t state) const { return arcs.data() + starts[at(state) + 1]; }
    // Where the arcs of one relation begin.
    const Arc* find(std::int32_t state, std::int32_t relation) const {
        return std::lower_bound(begin(state), end(state), relation,
                                [](const Arc& arc, std::int32_t wanted) { return arc.relation < wanted; });
    }
};

const Use* use_of(const Label& label, std::int32_t system) {
    const auto found = std::lower_bound(label.uses.begin(), label.uses.end(), system,
                                        [](const Use& use, std::int32_t wanted) { return use.system < wanted; });
    return found != label.uses.end() && found->system == system ? &*found : nullptr;
}

constexpr std::int32_t kStays = -1; // in place of a relation: the label does not mention the system

// Relations of the product: pairs of relations that some label moves the two by.
class Pairing {
public:
    Pairing(std::vector<Label>& labels, std::int32_t left, std::int32_t right, std::size_t relations)
        : with_left(relations) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
        for (Label& label : labels) {
            const Use* a = use_of(label, left);
            const Use* b = use_of(label, right);
            if (a == nullptr && b == nullptr) {
                continue;
            }
            const std::pair pair{a == nullptr ? kStays : a->relation, b == nullptr ? kStays : b->relation};
            const auto [place, fresh] = known.try_emplace(pair, count);
            if (fresh) {
                (pair.first == kStays ? only_right : with_left[at(pair.first)]).push_back({pair.second, count++});
            }
            std::erase_if(label.uses, [&](const Use& use) { return use.system == left || use.system == right; });
            label.uses.push_back({left, place->second});
            std::sort(label.uses.begin(), label.uses.end());
        }
        std::sort(only_right.begin(), only_right.end());
    }

    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> with_left; // right relation and the pair's number
    std::vector<std::pair<std::int32_t, std::int32_t>> only_right;
    std::int32_t count = 0;
};

class Composer {
public:
    Composer(const TransitionSystem& a, const TransitionSystem& b, const Pairing& pairing, std::size_t most_moves)
        : a_(a), b_(b), pairing_(pairing), most_(most_moves), out_a_(a), out_b_(b) {
        made.table.assign(at(a.states) * at(b.states), kNoState);
        made.system.relations.resize(at(pairing.count));
    }

    bool run() {
        made.system.initial = state(a_.initial, b_.initial);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const auto [left, right] = pairs_[i];
            expand(static_cast<std::int32_t>(i), left, right);
            if (moves_ > most_) {
                return false;
            }
        }
        made.system.states = static_cast<std::int32_t>(pairs_.size());
        for (Relation& relation : made.system.relations) {
            std::sort(relation.begin(), relation.end());
        }
        for (const auto& [left, right] : pairs_) {
            made.system.goal.push_back(a_.goal[at(left)] != 0 && b_.goal[at(right)] != 0);
        }
        return true;
    }

    Product made;

private:
    std::int32_t state(std::int32_t left, std::int32_t right) {
        std::int32_t& place = made.table[at(left) * at(b_.states) + at(right)];
        if (place == kNoState) {
            place = static_cast<std::int32_t>(pairs_.size());
            pairs_.emplace_back(left, right);
        }
        return place;
    }

    void add(std::int32_t from, std::int32_t relation, std::int32_t left, std::int32_t right) {
        made.system.relations[at(relation)].push_back({from, state(left, right)});
        ++moves_;
    }

    void expand(std::int32_t from, std::int32_t left, std::int32_t right) {
        for (const Outgoing::Arc* arc = out_a_.begin(left); arc != out_a_.end(left); ++arc) {
            for (const auto& [other, number] : pairing_.with_left[at(arc->relation)]) {
                if (other == kStays) {
                    add(from, number, arc->to, right);
                    continue;
                }
                for (const Outgoing::Arc* step = out_b_.find(right, other);
                     step != out_b_.end(right) && step->relation == other; ++step) {
                    add(from, number, arc->to, step->to);
                }
            }
        }
        for (const Outgoing::Arc* arc = out_b_.begin(right); arc != out_b_.end(right); ++arc) {
            const auto found =
                std::lower_bound(pairing_.only_right.begin(), pairing_.only_right.end(), std::pair{arc->relation, 0});
            if (found != pairing_.only_right.end() && found->first == arc->relation) {
                add(from, found->second, left, arc->to);
            }
        }
    }

    const TransitionSystem& a_;
    const TransitionSystem& b_;
    const Pairing& pairing_;
    std::size_t most_;
    Outgoing out_a_, out_b_;
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
    std::size_t moves_ = 0;
};

} // namespace

std::size_t TransitionSystem::moves() const {
    std::size_t count = 0;
    for (const Relation& relation : relations) {
        count += relation.size();
    }
    return count;
}

bool TransitionSystem::is_trivial() const { return std::find(goal.begin(), goal.end(), 0) == goal.end(); }

std::vector<std::int32_t> relation_costs(const TransitionSystem& system, const std::vector<Label>& labels,
                                         std::int32_t which) {
    std::vector<std::int32_t> costs(system.relations.size(), kUnreachable);
    for (const Label& label : labels) {
        if (const Use* use = use_of(label, which)) {
            costs[at(use->relation)] = std::min(costs[at(use->relation)], label.cost);
        }
    }
    return costs;
}

// Backwards from the goal; steps cost nothing or one, so a queue with two ends is enough.
void measure(TransitionSystem& system, const std::vector<std::int32_t>& costs) {
    struct Arc {
        std::int32_t from, cost;
    };
    std::vector<std::vector<Arc>> incoming(at(system.states));
    for (std::size_t i = 0; i < system.relations.size(); ++i) {
        for (const Move& move : costs[i] == kUnreachable ? Relation{} : system.relations[i]) {
            if (move.from != move.to) {
                incoming[at(move.to)].push_back({move.from, costs[i]});
            }
        }
    }
    system.distances.assign(at(system.states), kUnreachable);
    std::deque<std::pair<std::int32_t, std::int32_t>> queue;
    for (std::int32_t state = 0; state < system.states; ++state) {
        if (system.goal[at(state)] != 0) {
            system.distances[at(state)] = 0;
            queue.emplace_back(state, 0);
        }
    }
    while (!queue.empty()) {
        const auto [state, distance] = queue.front();
        queue.pop_front();
        if (distance > system.distances[at(state)]) {
            continue;
        }
        for (const Arc& arc : incoming[at(state)]) {
            if (distance + arc.cost < system.distances[at(arc.from)]) {
                system.distances[at(arc.from)] = distance + arc.cost;
                if (arc.cost == 0) {
                    queue.emplace_front(arc.from, distance);
                } else {
                    queue.emplace_back(arc.from, distance + arc.cost);
                }
            }
        }
    }
}

TransitionSystem renamed(const TransitionSystem& system, const std::vector<std::int32_t>& names, std::int32_t states) {
    TransitionSystem made;
    made.states = states;
    made.initial = names[at(system.initial)];
    made.goal.assign(at(states), 0);
    for (std::int32_t state = 0; state < system.states; ++state) {
        if (names[at(state)] != kNoState && system.goal[at(state)] != 0) {
            made.goal[at(names[at(state)])] = 1;
        }
    }
    for (const Relation& relation : system.relations) {
        Relation moves;
        for (const Move& move : relation) {
            const Move moved{names[at(move.from)], names[at(move.to)]};
            if (moved.from != kNoState && moved.to != kNoState) {
                moves.push_back(moved);
            }
        }
        std::sort(moves.begin(), moves.end());
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        made.relations.push_back(std::move(moves));
    }
    return made;
}

std::vector<std::int32_t> names_of_useful(const TransitionSystem& system, std::int32_t& states) {
    std::vector<std::int32_t> names(at(system.states), kNoState);
    states = 0;
    if (system.distances[at(system.initial)] == kUnreachable) {
        return names;
    }
    for (std::int32_t state = 0; state < system.states; ++state) {
        if (system.distances[at(state)] != kUnreachable) {
            names[at(state)] = states++;
        }
    }
    return names;
}

std::optional<Product> compose(const TransitionSystem& a, const TransitionSystem& b, std::int32_t left,
                               std::int32_t right, std::vector<Label>& labels, std::size_t most_moves) {
    std::vector<Label> changed(labels);
    const Pairing pairing(changed, left, right, a.relations.size());
    Composer composer(a, b, pairing, most_moves);
    if (!composer.run()) {
        return std::nullopt;
    }
    labels = std::move(changed);
    return std::move(composer.made);
}

} // namespace beeline
