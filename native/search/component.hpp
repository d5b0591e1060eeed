// A set of states that can all reach one another, with the arcs between them: whether a fair accepting cycle lies in
// it, and how one goes.
#pragma once

#include "search/acceptance.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beeline {

// A closed walk: the state in which it begins and ends, and the steps, each with its action and target.
struct RoundTrip {
    Index start = kNoIndex;
    std::vector<std::pair<std::uint32_t, Index>> steps;
};

template <Space S, StateStore T, class Sets>
class Component {
public:
    // Expands `members` once more; arcs that lead elsewhere are left out.
    Component(Run<S, T>& run, const Acceptance<S, Sets>& acceptance, std::vector<Index> members)
        : run_(run), acceptance_(acceptance), members_(std::move(members)), part_(members_.size(), 0) {
        for (std::uint32_t i = 0; i < members_.size(); ++i) {
            numbers_.emplace(members_[i], i);
        }
        for (std::size_t i = 0; run_.going() && i < members_.size(); ++i) {
            add_arcs(members_[i]);
        }
        first_.push_back(arcs_.size());
    }

    // A walk through every set, which the members are known to have arcs of.
    RoundTrip through_all_sets() {
        required_ = acceptance_.all();
        return round_trip(0);
    }

    // A walk through an accepting state on which every process that is able to move somewhere on it does move; no steps
    // if there is none. Where a process can move but never does, its states are taken out, and what is left falls into
    // smaller sets (the emptiness test for Streett automata).
    RoundTrip strongly_fair() {
        counts_disabled_ = false;
        std::vector<std::uint32_t> everything(members_.size());
        for (std::uint32_t i = 0; i < members_.size(); ++i) {
            everything[i] = i;
        }
        std::vector<std::vector<std::uint32_t>> waiting{std::move(everything)};
        while (run_.going() && !waiting.empty()) {
            const std::vector<std::uint32_t> states = std::move(waiting.back());
            waiting.pop_back();
            for (std::vector<std::uint32_t>& piece : split(states)) {
                const Sets starved = assess(piece);
                if (!required_.includes(acceptance_.property())) {
                    continue;
                }
                std::vector<std::uint32_t> rest;
                for (const std::uint32_t state : piece) {
                    if (sets_[state].includes(starved)) { // in which none of these processes is able to move
                        rest.push_back(state);
                    }
                }
                if (rest.size() == piece.size()) {
                    return round_trip(piece.front());
                }
                if (!rest.empty()) {
                    waiting.push_back(std::move(rest));
                }
            }
        }
        return {};
    }

private:
    struct Arc {
        std::uint32_t target; // its number here
        std::uint32_t action;
        Sets sets; // of the step itself
    };

    void add_arcs(Index state) {
        const std::uint32_t marks = with_room(run_, [&] { return run_.expand_through(state, false); });
        sets_.push_back(acceptance_.of_state(marks, run_.buffer));
        first_.push_back(arcs_.size());
        for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            if ((arc.marks & kError) != 0) {
                continue;
            }
            const Word* target = run_.buffer.state(i);
            const auto found = numbers_.find(run_.store.find(target, run_.store.hash(target)));
            if (found != numbers_.end()) {
                arcs_.push_back({found->second, arc.action, acceptance_.of_step(arc.action, arc.marks)});
            }
        }
        run_.pulse();
    }

    // Gives `states` a part number of their own, so that arcs to others do not count.
    void set_apart(const std::vector<std::uint32_t>& states) {
        ++parts_;
        for (const std::uint32_t state : states) {
            part_[state] = parts_;
        }
    }
    bool stays(std::uint32_t state, const Arc& arc) const { return part_[arc.target] == part_[state]; }

    // Strongly connected sets among `states` that have arcs, each a part of its own (Tarjan, 1972).
    std::vector<std::vector<std::uint32_t>> split(const std::vector<std::uint32_t>& states) {
        set_apart(states);
        std::vector<std::vector<std::uint32_t>> found;
        std::unordered_map<std::uint32_t, std::uint32_t> order;
        std::vector<std::uint32_t> low(members_.size()), open;
        std::vector<std::pair<std::uint32_t, std::size_t>> path;
        const auto enter = [&](std::uint32_t state) {
            low[state] = static_cast<std::uint32_t>(order.size());
            order.emplace(state, low[state]);
            open.push_back(state);
            path.emplace_back(state, first_[state]);
        };
        const std::uint32_t part = parts_;
        std::vector<bool> done(members_.size());
        for (const std::uint32_t start : states) {
            if (order.contains(start)) {
                continue;
            }
            enter(start);
            while (!path.empty()) {
                auto& [state, next] = path.back();
                if (next == first_[state + 1]) {
                    const std::uint32_t left = state;
                    path.pop_back();
                    if (!path.empty()) {
                        low[path.back().first] = std::min(low[path.back().first], low[left]);
                    }
                    if (low[left] == order[left]) {
                        const auto root = std::find(open.rbegin(), open.rend(), left).base() - 1;
                        std::vector<std::uint32_t> piece(root, open.end());
                        open.erase(root, open.end());
                        for (const std::uint32_t member : piece) {
                            done[member] = true;
                        }
                        found.push_back(std::move(piece));
                    }
                    continue;
                }
                const std::uint32_t target = arcs_[next++].target;
                if (part_[target] != part || done[target]) {
                    continue;
                }
                if (const auto known = order.find(target); known != order.end()) {
                    low[state] = std::min(low[state], known->second);
                } else {
                    enter(target);
                }
            }
        }
        for (const std::vector<std::uint32_t>& piece : found) {
            set_apart(piece);
        }
        std::erase_if(found, [this](const std::vector<std::uint32_t>& piece) { return !has_arcs(piece); });
        return found;
    }

    bool has_arcs(const std::vector<std::uint32_t>& piece) const {
        for (const std::uint32_t state : piece) {
            for (std::size_t i = first_[state]; i < first_[state + 1]; ++i) {
                if (stays(state, arcs_[i])) {
                    return true;
                }
            }
        }
        return false;
    }

    // Finds what a fair cycle through all of a piece must meet (what it can of the property's sets, and a step of each
    // process that is able to move), and returns the processes that can move but never do within it.
    Sets assess(const std::vector<std::uint32_t>& piece) {
        required_ = {};
        Sets met, starved;
        for (const std::uint32_t state : piece) {
            met |= of_property(sets_[state]);
            for (std::size_t process = 0; process < acceptance_.processes(); ++process) {
                if (!sets_[state].has(acceptance_.of_process(process))) {
                    required_.add(acceptance_.of_process(process));
                }
            }
            for (std::size_t i = first_[state]; i < first_[state + 1]; ++i) {
                if (stays(state, arcs_[i])) {
                    met |= arcs_[i].sets;
                }
            }
        }
        required_ |= of_property(met);
        for (std::size_t process = 0; process < acceptance_.processes(); ++process) {
            const std::size_t set = acceptance_.of_process(process);
            if (required_.has(set) && !met.has(set)) {
                starved.add(set);
            }
        }
        return starved;
    }

    Sets met_by(std::uint32_t origin, const Arc& arc) const {
        return arc.sets | (counts_disabled_ ? sets_[origin] : of_property(sets_[origin]));
    }
    Sets of_property(Sets sets) const { return sets &= acceptance_.property(); }

    // From a state through everything that is required and back.
    RoundTrip round_trip(std::uint32_t start) const {
        RoundTrip trip{members_[start], {}};
        Sets met;
        std::uint32_t at = start;
        while (!met.includes(required_)) {
            at = go(at, trip, met, [&](std::uint32_t origin, const Arc& arc) {
                return !met.includes(within_required(met_by(origin, arc)));
            });
        }
        if (at != start || trip.steps.empty()) {
            go(at, trip, met, [start](std::uint32_t, const Arc& arc) { return arc.target == start; });
        }
        return trip;
    }
    // Of these sets, those that are required.
    Sets within_required(Sets sets) const { return sets &= required_; }

    // Appends the shortest way whose last arc is `wanted`; returns where it leads.
    template <class Wanted>
    std::uint32_t go(std::uint32_t from, RoundTrip& trip, Sets& met, const Wanted& wanted) const {
        std::vector<std::pair<std::uint32_t, std::size_t>> came_by(members_.size(), {from, arcs_.size()});
        std::vector<bool> seen(members_.size());
        std::deque<std::uint32_t> queue{from};
        seen[from] = true;
        for (; !queue.empty(); queue.pop_front()) {
            const std::uint32_t state = queue.front();
            for (std::size_t i = first_[state]; i < first_[state + 1]; ++i) {
                const Arc& arc = arcs_[i];
                if (!stays(state, arc)) {
                    continue;
                }
                if (wanted(state, arc)) {
                    append(trip, met, came_by, {state, i});
                    return arc.target;
                }
                if (!seen[arc.target]) {
                    seen[arc.target] = true;
                    came_by[arc.target] = {state, i};
                    queue.push_back(arc.target);
                }
            }
        }
        throw std::logic_error("a component is not strongly connected");
    }

    void append(RoundTrip& trip, Sets& met, const std::vector<std::pair<std::uint32_t, std::size_t>>& came_by,
                std::pair<std::uint32_t, std::size_t> last) const {
        std::vector<std::pair<std::uint32_t, std::size_t>> way{last};
        while (came_by[way.back().first].second != arcs_.size()) {
            way.push_back(came_by[way.back().first]);
        }
        for (auto step = way.rbegin(); step != way.rend(); ++step) {
            const Arc& arc = arcs_[step->second];
            met |= met_by(step->first, arc);
            trip.steps.emplace_back(arc.action, members_[arc.target]);
        }
    }

    Run<S, T>& run_;
    const Acceptance<S, Sets>& acceptance_;
    std::vector<Index> members_;
    std::unordered_map<Index, std::uint32_t> numbers_;
    std::vector<Sets> sets_;         // by member
    std::vector<std::size_t> first_; // of its arcs, with an end behind the last
    std::vector<Arc> arcs_;
    std::vector<std::uint32_t> part_; // of each member; only arcs within a part count
    std::uint32_t parts_ = 0;
    Sets required_;
    bool counts_disabled_ = true; // a state in which a process cannot move stands for a move of it
};

} // namespace beeline
