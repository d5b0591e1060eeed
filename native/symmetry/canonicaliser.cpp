#include "symmetry/canonicaliser.hpp"

#include "space/space.hpp"
#include "state/hash.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void require(bool condition, const char* what) {
    if (!condition) {
        throw std::invalid_argument(std::string("symmetry: ") + what);
    }
}

std::uint64_t mix(std::uint64_t value, std::uint64_t further) {
    return fold_multiply(value ^ 0x9e3779b97f4a7c15, further ^ 0xd1b54a32d192ed03);
}

} // namespace

SymmetryTables::SymmetryTables(const Program& program, const Tables& tables) {
    for (const std::int32_t size : tables.lists.at("sets")) {
        require(size >= 1 && size <= 1000, "a set is empty or too large");
        first_of.push_back(static_cast<std::uint32_t>(set_of.size()));
        size_of.push_back(static_cast<std::uint32_t>(size));
        set_of.insert(set_of.end(), at(size), static_cast<std::uint32_t>(size_of.size() - 1));
        for (std::int32_t i = 2; i <= size; ++i) {
            permutations *= i;
        }
    }
    for (const std::vector<std::int32_t>& row : tables.rows.at("values")) {
        require(!row.empty(), "a row of values has no first value");
        values.push_back({row[0], {row.begin() + 1, row.end()}});
        for (const std::int32_t element : values.back().elements) {
            require(element >= -1 && element < static_cast<std::int32_t>(elements()), "there is no such element");
        }
    }
    const auto& rows = tables.rows.at("shapes");
    const auto& cells = tables.rows.at("cells");
    require(rows.size() == cells.size(), "shapes and cells differ in number");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require(!rows[i].empty() && rows[i][0] >= -1 && rows[i][0] < static_cast<std::int32_t>(values.size()),
                "a shape has no such values");
        Shape shape{rows[i][0], static_cast<std::uint32_t>(places.size()), {}};
        std::size_t count = 1;
        for (std::size_t j = 1; j < rows[i].size(); ++j) {
            require(rows[i][j] >= 0 && at(rows[i][j]) < size_of.size(), "there is no such set");
            shape.sets.push_back(static_cast<std::uint32_t>(rows[i][j]));
            count *= size_of[shape.sets.back()];
        }
        require(count == cells[i].size(), "a shape has another number of cells");
        for (std::size_t number = 0; number < count; ++number) {
            const std::int32_t cell = cells[i][number];
            require(cell >= 0 && cell < program.state_cells, "there is no such cell");
            places.push_back({cell, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(coordinates.size())});
            coordinates.resize(coordinates.size() + shape.sets.size());
            std::size_t rest = number;
            for (std::size_t j = shape.sets.size(); j-- > 0;) {
                const std::uint32_t set = shape.sets[j];
                coordinates[places.back().first + j] = first_of[set] + static_cast<std::uint32_t>(rest % size_of[set]);
                rest /= size_of[set];
            }
        }
        shapes.push_back(std::move(shape));
    }
}

Canonicaliser::Canonicaliser(std::shared_ptr<const SymmetryTables> tables, std::size_t most, bool counts)
    : tables_(std::move(tables)), most_(most), represented_(counts ? std::make_shared<Sum>(0) : nullptr),
      values_(tables_->places.size()), best_(values_.size()), tried_(values_.size()), sums_(tables_->elements()),
      order_(tables_->elements()), levels_(tables_->elements() + 1) {
    std::iota(order_.begin(), order_.end(), 0);
    for (Level& level : levels_) {
        level.colours.resize(tables_->elements());
        level.sizes.resize(tables_->elements());
    }
}

bool Canonicaliser::apply(const Program& program, Word* state) {
    read(program, state);
    find();
    bool changed = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (best_[i] != values_[i]) {
            const Packing& packing = program.packing[at(tables_->places[i].cell)];
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
    read(program, state);
    find();
    return tables_->permutations / same_;
}

void Canonicaliser::read(const Program& program, const Word* state) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        values_[i] = program.packing[at(tables_->places[i].cell)].value(state);
    }
}

void Canonicaliser::find() {
    found_ = 0;
    for (std::size_t e = 0; e < tables_->elements(); ++e) {
        levels_[0].colours[e] = tables_->first_of[tables_->set_of[e]];
    }
    search(0, 1);
}

// Goes on from the colours of a level. `weight`: how many nodes of the whole tree this one stands for.
void Canonicaliser::search(std::size_t depth, double weight) {
    Level& level = levels_[depth];
    if (refine(level.colours)) {
        return finish(level.colours, weight);
    }
    const std::uint32_t chosen = smallest_class(level);
    find_first(level, chosen);
    for (std::size_t i = 0; i < level.first.size(); ++i) {
        if (most_ != 0 && found_ >= most_) {
            return;
        }
        Colours& further = levels_[depth + 1].colours;
        for (std::size_t e = 0; e < further.size(); ++e) {
            further[e] = level.colours[e] + (level.colours[e] == chosen ? 1 : 0);
        }
        further[level.first[i]] = chosen;
        search(depth + 1, weight * level.alike[i]);
    }
}

// The colour of the first of the smallest classes with several elements.
std::uint32_t Canonicaliser::smallest_class(Level& level) const {
    std::fill(level.sizes.begin(), level.sizes.end(), 0);
    for (const std::uint32_t colour : level.colours) {
        ++level.sizes[colour];
    }
    std::uint32_t chosen = 0, least = 0;
    for (std::uint32_t colour = 0; colour < level.sizes.size(); ++colour) {
        if (level.sizes[colour] > 1 && (least == 0 || level.sizes[colour] < least)) {
            chosen = colour;
            least = level.sizes[colour];
        }
    }
    return chosen;
}

// The elements of a class that must be tried, and how many each of them stands for.
void Canonicaliser::find_first(Level& level, std::uint32_t chosen) const {
    level.first.clear();
    level.alike.clear();
    for (std::uint32_t e = 0; e < level.colours.size(); ++e) {
        if (level.colours[e] != chosen) {
            continue;
        }
        const auto same = std::find_if(level.first.begin(), level.first.end(),
                                       [&](std::uint32_t other) { return is_same_exchanged(e, other); });
        if (same != level.first.end()) {
            ++level.alike[static_cast<std::size_t>(same - level.first.begin())];
        } else {
            level.first.push_back(e);
            level.alike.push_back(1);
        }
    }
}

// Tells apart elements of which the state says something different; whether all are told apart then.
bool Canonicaliser::refine(Colours& colours) {
    const std::size_t count = colours.size();
    std::size_t classes = 0;
    while (true) {
        sum_up(colours);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t one, std::uint32_t other) {
            return colours[one] != colours[other] ? colours[one] < colours[other] : sums_[one] < sums_[other];
        });
        std::size_t now = 0;
        std::uint32_t colour_before = 0, colour = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t e = order_[i];
            if (i == 0 || colours[e] != colour_before || sums_[e] != sums_[order_[i - 1]]) {
                colour = static_cast<std::uint32_t>(i);
                ++now;
            }
            colour_before = colours[e];
            colours[e] = colour;
        }
        if (now == count) {
            return true;
        }
        if (now == classes) {
            return false;
        }
        classes = now;
    }
}

// What the state says of each element, whatever the names of elements are.
void Canonicaliser::sum_up(const Colours& colours) {
    std::fill(sums_.begin(), sums_.end(), 0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const SymmetryTables::Place& place = tables_->places[i];
        const SymmetryTables::Shape& shape = tables_->shapes[place.shape];
        const std::size_t dimensions = shape.sets.size();
        const std::uint32_t* indices = tables_->coordinates.data() + place.first;
        const std::int32_t held = tables_->element(shape, values_[i]);
        std::uint64_t told = held >= 0 ? (std::uint64_t{1} << 33) + colours[at(held)]
                                       : static_cast<std::uint64_t>(static_cast<std::uint32_t>(values_[i]));
        told = mix(told, place.shape);
        for (std::size_t j = 0; j < dimensions; ++j) {
            told = mix(told, colours[indices[j]] * 2 + (held == static_cast<std::int32_t>(indices[j]) ? 1 : 0));
        }
        for (std::size_t j = 0; j < dimensions; ++j) {
            sums_[indices[j]] += mix(told, j + 1);
        }
        if (held >= 0) {
            sums_[at(held)] += mix(told, 0);
        }
    }
}

// All elements have their order: the state under it is one to choose from.
void Canonicaliser::finish(const Colours& order, double weight) {
    const auto renamed = [&](std::uint32_t e) { return order[e]; };
    for (std::size_t i = 0; i < values_.size(); ++i) {
        tried_[place_under(tables_->places[i], renamed)] = value_under(i, renamed);
    }
    if (found_++ == 0 || tried_ < best_) {
        best_.swap(tried_);
        same_ = weight;
    } else if (tried_ == best_) {
        same_ += weight;
    }
}

std::uint32_t Canonicaliser::place_under(const SymmetryTables::Place& place, const auto& renamed) const {
    const SymmetryTables::Shape& shape = tables_->shapes[place.shape];
    std::uint32_t number = 0;
    for (std::size_t j = 0; j < shape.sets.size(); ++j) {
        const std::uint32_t set = shape.sets[j];
        number =
            number * tables_->size_of[set] + renamed(tables_->coordinates[place.first + j]) - tables_->first_of[set];
    }
    return shape.first_place + number;
}

std::int32_t Canonicaliser::value_under(std::size_t place, const auto& renamed) const {
    const std::int32_t value = values_[place];
    const std::int32_t held = tables_->element(tables_->shapes[tables_->places[place].shape], value);
    return held < 0 ? value : value + static_cast<std::int32_t>(renamed(static_cast<std::uint32_t>(held))) - held;
}

bool Canonicaliser::is_same_exchanged(std::uint32_t one, std::uint32_t other) const {
    const auto renamed = [&](std::uint32_t e) { return e == one ? other : e == other ? one : e; };
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values_[place_under(tables_->places[i], renamed)] != value_under(i, renamed)) {
            return false;
        }
    }
    return true;
}

} // namespace beeline
