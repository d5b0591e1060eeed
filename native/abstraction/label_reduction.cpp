#include "abstraction/label_reduction.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

bool is_identity(const Relation& relation, std::int32_t states) {
    return relation.size() == at(states) &&
           std::all_of(relation.begin(), relation.end(), [](Move move) { return move.from == move.to; });
}

Relation joined(const TransitionSystem& system, const std::vector<std::int32_t>& parts) {
    Relation moves;
    for (const std::int32_t part : parts) {
        const Relation& more = system.relations[at(part)];
        moves.insert(moves.end(), more.begin(), more.end());
    }
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
}

std::uint64_t hash_of(const Label& label) {
    return hash_words(reinterpret_cast<const std::uint32_t*>(label.uses.data()), 2 * label.uses.size()) +
           at(label.cost);
}

} // namespace

void reduce_labels(TransitionSystem& system, std::int32_t which, std::vector<Label>& labels) {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash; // into `classes`
    std::vector<std::pair<Label, std::vector<std::int32_t>>> classes;    // relations here; kNoState for "stays"
    std::vector<Label> reduced;
    for (Label& label : labels) {
        std::int32_t relation = kNoState;
        std::erase_if(label.uses, [&](const Use& use) {
            relation = use.system == which ? use.relation : relation;
            return use.system == which;
        });
        auto& near = by_hash[hash_of(label)];
        const auto twin = std::find_if(near.begin(), near.end(), [&](std::size_t i) {
            return classes[i].first.cost == label.cost && classes[i].first.uses == label.uses;
        });
        if (twin == near.end()) {
            near.push_back(classes.size());
            classes.push_back({std::move(label), {relation}});
        } else {
            classes[*twin].second.push_back(relation);
        }
    }
    std::map<Relation, std::int32_t> known;
    std::vector<Relation> relations;
    for (auto& [label, parts] : classes) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        if (parts.front() == kNoState && parts.size() == 1) {
            if (!label.uses.empty()) {
                reduced.push_back(std::move(label));
            }
            continue;
        }
        const bool may_stay = parts.front() == kNoState;
        if (may_stay) {
            parts.erase(parts.begin());
        }
        Relation moves = joined(system, parts);
        if (may_stay) {
            for (std::int32_t state = 0; state < system.states; ++state) {
                moves.push_back({state, state});
            }
            std::sort(moves.begin(), moves.end());
            moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        }
        if (moves.empty()) {
            continue; // can never be taken
        }
        if (!is_identity(moves, system.states)) {
            const auto next = static_cast<std::int32_t>(relations.size());
            const auto [place, fresh] = known.try_emplace(moves, next);
            if (fresh) {
                relations.push_back(std::move(moves));
            }
            label.uses.push_back({which, place->second});
            std::sort(label.uses.begin(), label.uses.end());
        }
        if (!label.uses.empty()) {
            reduced.push_back(std::move(label));
        }
    }
    system.relations = std::move(relations);
    labels = std::move(reduced);
}

} // namespace beeline
