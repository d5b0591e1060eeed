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

std::size_t read_clocks(const Tables& tables) {
    const auto found = tables.numbers.find("clocks");
    require_symmetry(found == tables.numbers.end() || found->second >= 0, "there is no such number of clocks");
    return found == tables.numbers.end() ? 0 : at(found->second);
}

bool is_place(const Program& program, std::size_t clocks, std::int32_t cell) {
    return cell >= 0 && at(cell) < at(program.state_cells) + clocks * clocks;
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

Canonicaliser::Canonicaliser(const std::vector<Held>& places, const std::vector<Condition>& when, std::size_t clocks,
                             bool counts)
    : values_(places.size()), best_(places.size()), tried_(places.size()), alive_(places.size(), 1), places_(places),
      when_(when), clocks_(clocks), represented_(counts ? std::make_shared<Sum>(0) : nullptr) {}

bool Canonicaliser::apply(const Program& program, Word* state) {
    if (!is_known(program, state)) {
        return false;
    }
    read(program, state);
    find();
    bool changed = false;
    auto* zone = reinterpret_cast<std::int32_t*>(state + program.words);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (best_[i] != values_[i]) {
            changed = true;
            if (places_[i].cell >= program.state_cells) {
                zone[places_[i].cell - program.state_cells] = best_[i];
                continue;
            }
            const Packing& packing = program.packing[at(places_[i].cell)];
            if (!packing.holds(best_[i])) {
                throw TooNarrow{packing.cell, best_[i]};
            }
            packing.put(state, best_[i]);
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
    const auto* zone = reinterpret_cast<const std::int32_t*>(state + program.words);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const Held& place = places_[i];
        const bool is_bound = place.cell >= program.state_cells;
        values_[i] = is_bound ? zone[place.cell - program.state_cells] : program.packing[at(place.cell)].value(state);
        if (place.length >= 0) {
            alive_[i] = program.packing[at(place.length)].value(state) > place.position ? 1 : 0;
        }
    }
}

} // namespace beeline
