#include "symmetry/canonicaliser.hpp"

#include "space/space.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

void require_symmetry(bool condition, const char* what) {
    if (!condition) {
        throw std::invalid_argument(std::string("symmetry: ") + what);
    }
}

std::vector<Condition> read_conditions(const Program& program, const Tables& tables) {
    std::vector<Condition> found;
    const auto rows = tables.rows.find("when");
    if (rows == tables.rows.end()) {
        return found;
    }
    for (const std::vector<std::int32_t>& row : rows->second) {
        require_symmetry(!row.empty() && row[0] >= 0 && row[0] < program.state_cells, "there is no such cell");
        found.push_back({row[0], {row.begin() + 1, row.end()}});
    }
    return found;
}

Canonicaliser::Canonicaliser(const std::vector<Held>& places, const std::vector<Condition>& when, bool counts)
    : values_(places.size()), best_(places.size()), tried_(places.size()), alive_(places.size(), 1), places_(places),
      when_(when), represented_(counts ? std::make_shared<Sum>(0) : nullptr) {}

bool Canonicaliser::apply(const Program& program, Word* state) {
    if (!is_known(program, state)) {
        return false;
    }
    read(program, state);
    find();
    bool changed = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (best_[i] != values_[i]) {
            const Packing& packing = program.packing[at(places_[i].cell)];
            if (!packing.holds(best_[i])) {
                throw TooNarrow{packing.cell, best_[i]};
            }
            packing.put(state, best_[i]);
            changed = true;
        }
    }
    return changed;
}

double Canonicaliser::orbit(const Program& program, const Word* state) {
    if (!is_known(program, state)) {
        return 1;
    }
    read(program, state);
    return find();
}

bool Canonicaliser::is_known(const Program& program, const Word* state) const {
    return std::all_of(when_.begin(), when_.end(), [&](const Condition& condition) {
        const std::int32_t value = program.packing[at(condition.cell)].value(state);
        return std::find(condition.allowed.begin(), condition.allowed.end(), value) != condition.allowed.end();
    });
}

void Canonicaliser::read(const Program& program, const Word* state) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const Held& place = places_[i];
        values_[i] = program.packing[at(place.cell)].value(state);
        if (place.length >= 0) {
            alive_[i] = program.packing[at(place.length)].value(state) > place.position ? 1 : 0;
        }
    }
}

} // namespace beeline
