#include "abstraction/label_reduction.hpp"

#include "abstraction/labelled_system.hpp"
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

constexpr std::int32_t kIdentity = -2; // in place of a relation: the label asks nothing here
constexpr std::int32_t kEmpty = -3;    // the label can never be taken

// The new relations of a system: unions of old ones. Labels mostly name few different ones, so that each union is made
// once.
class Unions {
public:
    explicit Unions(const TransitionSystem& system) : system_(system) {}

    // The number of the union of `parts`, in order without repetition; a part kNoState stands for staying anywhere.
    std::int32_t operator[](const std::vector<std::int32_t>& parts) {
        const auto [place, fresh] = by_parts_.try_emplace(parts, kEmpty);
        if (fresh) {
            place->second = number_of(joined(parts));
        }
        return place->second;
    }

    std::vector<Relation> relations;

private:
    Relation joined(const std::vector<std::int32_t>& parts) const {
        if (parts.size() == 1 && parts.front() != kNoState) {
            return system_.relations[at(parts.front())];
        }
        Relation moves;
        for (const std::int32_t part : parts) {
            if (part == kNoState) {
                for (std::int32_t state = 0; state < system_.states; ++state) {
                    moves.push_back({state, state});
                }
            } else {
                const Relation& more = system_.relations[at(part)];
                moves.insert(moves.end(), more.begin(), more.end());
            }
        }
        std::sort(moves.begin(), moves.end());
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        return moves;
    }

    std::int32_t number_of(Relation moves) {
        if (moves.empty()) {
            return kEmpty;
        }
        if (is_identity(moves, system_.states)) {
            return kIdentity;
        }
        const auto next = static_cast<std::int32_t>(relations.size());
        const auto [place, fresh] = by_moves_.try_emplace(std::move(moves), next);
        if (fresh) {
            relations.push_back(place->first);
        }
        return place->second;
    }

    const TransitionSystem& system_;
    std::map<std::vector<std::int32_t>, std::int32_t> by_parts_;
    std::map<Relation, std::int32_t> by_moves_;
};

std::uint64_t hash_of(const Label& label) {
    return hash_words(reinterpret_cast<const std::uint32_t*>(label.uses.data()), 2 * label.uses.size()) +
           at(label.cost);
}

} // namespace

bool has_combinable_labels(std::int32_t which, const std::vector<Label>& labels) {
    std::vector<std::uint64_t> hashes;
    hashes.reserve(labels.size());
    for (const Label& label : labels) {
        std::uint64_t sum = at(label.cost);
        for (const Use& use : label.uses) {
            sum += use.system == which ? 0 : hash_words(reinterpret_cast<const std::uint32_t*>(&use), 2);
        }
        hashes.push_back(sum);
    }
    std::sort(hashes.begin(), hashes.end());
    return std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end();
}

std::vector<std::int32_t> reduce_labels(TransitionSystem& system, std::int32_t which, std::vector<Label>& labels) {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash; // into `classes`
    std::vector<std::pair<Label, std::vector<std::int32_t>>> classes;    // relations here; kNoState for "stays"
    std::vector<Label> reduced;
    std::vector<std::int32_t> names; // first the class of each label, then what became of it
    for (Label& label : labels) {
        std::int32_t relation = kNoState;
        std::erase_if(label.uses, [&](const Use& use) {
            relation = use.system == which ? use.relation : relation;
            return use.system == which;
        });
        auto& near = by_hash[hash_of(label)];
        const auto equal = std::find_if(near.begin(), near.end(), [&](std::size_t i) {
            return classes[i].first.cost == label.cost && classes[i].first.uses == label.uses;
        });
        if (equal == near.end()) {
            near.push_back(classes.size());
            names.push_back(static_cast<std::int32_t>(classes.size()));
            classes.push_back({std::move(label), {relation}});
        } else {
            names.push_back(static_cast<std::int32_t>(*equal));
            classes[*equal].second.push_back(relation);
        }
    }
    Unions unions(system);
    std::vector<std::int32_t> name_of_class;
    for (auto& [label, parts] : classes) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        const std::int32_t relation = unions[parts];
        if (relation == kEmpty) {
            name_of_class.push_back(LabelledSystem::kNever);
            continue;
        }
        if (relation != kIdentity) {
            label.uses.push_back({which, relation});
            std::sort(label.uses.begin(), label.uses.end());
        }
        const bool stays = label.uses.empty();
        name_of_class.push_back(stays ? LabelledSystem::kStays : static_cast<std::int32_t>(reduced.size()));
        if (!stays) {
            reduced.push_back(std::move(label));
        }
    }
    system.relations = std::move(unions.relations);
    labels = std::move(reduced);
    for (std::int32_t& name : names) {
        name = name_of_class[at(name)];
    }
    return names;
}

} // namespace beeline
