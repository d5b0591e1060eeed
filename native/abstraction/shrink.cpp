#include "abstraction/shrink.hpp"

#include <algorithm>
#include <map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

class Refinement {
public:
    Refinement(const TransitionSystem& system, std::int32_t most, Shrink how)
        : system_(system), most_(most), how_(how), class_of(at(system.states)) {
        std::int32_t buckets = 0;
        for (std::int32_t state = 0; state < system.states; ++state) {
            // Where steps are free, a state may be as near as the goal and still not be there: it stays apart.
            const bool there = system.goal[at(state)] != 0;
            class_of[at(state)] = there ? 0 : std::min(system.distances[at(state)] + 1, most - 1);
            buckets = std::max(buckets, class_of[at(state)] + 1);
        }
        members_.resize(at(buckets));
        for (std::int32_t state = 0; state < system.states; ++state) {
            members_[at(class_of[at(state)])].push_back(state);
        }
        number_classes();
        list_arcs();
    }

    void run() {
        if (how_ != Shrink::kBisimulation) {
            repeat(&Refinement::split_bucket);
        }
        repeat(&Refinement::split_classes); // what room is left
    }

private:
    void repeat(bool (Refinement::*split)(std::size_t)) {
        for (bool changed = true; changed && count < most_;) {
            changed = false;
            for (std::size_t i = 0; i < members_.size(); ++i) {
                changed |= (this->*split)(how_ == Shrink::kFarFirst ? members_.size() - 1 - i : i);
            }
        }
    }

    using Signature = std::vector<std::pair<std::int32_t, std::int32_t>>;

    // Distances may have gaps where steps are free: classes have none.
    void number_classes() {
        std::map<std::int32_t, std::int32_t> names;
        for (std::int32_t& one : class_of) {
            one = names.try_emplace(one, static_cast<std::int32_t>(names.size())).first->second;
        }
        count = static_cast<std::int32_t>(names.size());
    }

    void list_arcs() {
        arcs_.resize(at(system_.states));
        for (std::size_t i = 0; i < system_.relations.size(); ++i) {
            for (const Move& move : system_.relations[i]) {
                arcs_[at(move.from)].emplace_back(static_cast<std::int32_t>(i), move.to);
            }
        }
    }

    // What a state can do: by which relation to which class.
    Signature signature(std::int32_t state) const {
        Signature found;
        for (const auto& [relation, to] : arcs_[at(state)]) {
            found.emplace_back(relation, class_of[at(to)]);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // All classes of a bucket, or none if that gives too many.
    bool split_bucket(std::size_t bucket) {
        std::map<std::pair<std::int32_t, Signature>, std::vector<std::int32_t>> parts;
        std::map<std::int32_t, std::int32_t> parts_of;
        for (const std::int32_t state : members_[bucket]) {
            auto& part = parts[{class_of[at(state)], signature(state)}];
            if (part.empty()) {
                ++parts_of[class_of[at(state)]];
            }
            part.push_back(state);
        }
        const auto gain = static_cast<std::int32_t>(parts.size() - parts_of.size());
        if (gain == 0 || count + gain > most_) {
            return false;
        }
        for (const auto& [key, states] : parts) {
            if (--parts_of[key.first] > 0) { // the last part keeps the old number
                rename(states);
            }
        }
        return true;
    }

    // Class by class; one that cannot be split as a whole is split as far as there is room.
    bool split_classes(std::size_t bucket) {
        std::map<std::int32_t, std::vector<std::int32_t>> classes;
        for (const std::int32_t state : members_[bucket]) {
            classes[class_of[at(state)]].push_back(state);
        }
        bool changed = false;
        for (const auto& [one, states] : classes) {
            std::map<Signature, std::vector<std::int32_t>> parts;
            for (const std::int32_t state : states) {
                parts[signature(state)].push_back(state);
            }
            for (auto part = parts.begin(); std::next(part) != parts.end() && count < most_; ++part) {
                rename(part->second);
                changed = true;
            }
        }
        return changed;
    }

    void rename(const std::vector<std::int32_t>& states) {
        for (const std::int32_t state : states) {
            class_of[at(state)] = count;
        }
        ++count;
    }

    const TransitionSystem& system_;
    std::int32_t most_;
    Shrink how_;
    std::vector<std::vector<std::int32_t>> members_; // states by bucket
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> arcs_;

public:
    std::vector<std::int32_t> class_of;
    std::int32_t count = 0;
};

} // namespace

std::vector<std::int32_t> classes_of(const TransitionSystem& system, std::int32_t most, Shrink how,
                                     std::int32_t& count) {
    Refinement refinement(system, most, how);
    refinement.run();
    std::vector<std::int32_t> names(at(refinement.count), kNoState);
    count = 0;
    for (std::int32_t& one : refinement.class_of) {
        std::int32_t& name = names[at(one)];
        name = name == kNoState ? count++ : name;
        one = name;
    }
    return std::move(refinement.class_of);
}

} // namespace beeline
