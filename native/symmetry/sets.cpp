#include "symmetry/sets.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <numeric>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

std::uint64_t mix(std::uint64_t value, std::uint64_t further) {
    return fold_multiply(value ^ 0x9e3779b97f4a7c15, further ^ 0xd1b54a32d192ed03);
}

} // namespace

SetTables::SetTables(const Program& program, const Tables& tables)
    : clocks(read_clocks(tables)), when(read_conditions(program, tables)) {
    read_sets(tables);
    read_values(tables);
    const auto& rows = tables.rows.at("shapes");
    const auto& cells = tables.rows.at("cells");
    const auto lengths = tables.rows.find("lengths");
    const auto labels = tables.lists.find("labels");
    require_symmetry(rows.size() == cells.size(), "shapes and cells differ in number");
    require_symmetry(labels == tables.lists.end() || labels->second.size() == rows.size(), "labels differ in number");
    require_symmetry(lengths == tables.rows.end() || lengths->second.size() == rows.size(), "lengths differ in number");
    const auto is_cell = [&](std::int32_t cell) { return is_place(program, clocks, cell); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require_symmetry(!rows[i].empty() && rows[i][0] >= -1 && rows[i][0] < static_cast<std::int32_t>(values.size()),
                         "a shape has no such values");
        const auto label = labels == tables.lists.end() ? i : at(labels->second[i]);
        Shape shape{rows[i][0], static_cast<std::uint32_t>(places.size()), static_cast<std::uint32_t>(label), {}};
        std::size_t count = 1;
        for (std::size_t j = 1; j < rows[i].size(); ++j) {
            require_symmetry(rows[i][j] >= 0 && at(rows[i][j]) < size_of.size(), "there is no such set");
            shape.sets.push_back(static_cast<std::uint32_t>(rows[i][j]));
            count *= size_of[shape.sets.back()];
        }
        require_symmetry(count == cells[i].size(), "a shape has another number of cells");
        shape.of_zone = cells[i][0] >= program.state_cells;
        has_zone |= shape.of_zone;
        shapes.push_back(std::move(shape));
        const std::vector<std::int32_t> none;
        const std::vector<std::int32_t>& row = lengths == tables.rows.end() ? none : lengths->second[i];
        require_symmetry(row.empty() || row.size() == count + 1, "a shape has another number of lengths");
        for (std::size_t number = 0; number < count; ++number) {
            Held found{cells[i][number]};
            require_symmetry(is_cell(found.cell), "there is no such cell");
            if (!row.empty()) {
                found.position = row[0];
                found.length = row[number + 1];
                require_symmetry(is_cell(found.length), "there is no such length");
            }
            add_place(static_cast<std::uint32_t>(i), number, found);
        }
    }
    read_bags(tables);
}

void SetTables::read_bags(const Tables& tables) {
    const auto rows = tables.rows.find("bags");
    if (rows == tables.rows.end()) {
        return;
    }
    for (const std::vector<std::int32_t>& row : rows->second) {
        require_symmetry(!row.empty() && row[0] > 0 && (row.size() - 1) % at(row[0]) == 0, "a bag has half an entry");
        Bag bag{at(row[0]), {}};
        for (std::size_t i = 1; i < row.size(); ++i) {
            const auto place =
                std::find_if(held.begin(), held.end(), [&](const Held& found) { return found.cell == row[i]; });
            require_symmetry(place != held.end(), "a bag's cell is in no shape");
            bag.places.push_back(static_cast<std::uint32_t>(place - held.begin()));
        }
        bags.push_back(std::move(bag));
    }
}

void SetTables::read_sets(const Tables& tables) {
    for (const std::int32_t size : tables.lists.at("sets")) {
        require_symmetry(size >= 1 && size <= 1000, "a set is empty or too large");
        first_of.push_back(static_cast<std::uint32_t>(set_of.size()));
        size_of.push_back(static_cast<std::uint32_t>(size));
        set_of.insert(set_of.end(), at(size), static_cast<std::uint32_t>(size_of.size() - 1));
        for (std::int32_t i = 2; i <= size; ++i) {
            permutations *= i;
        }
    }
}

void SetTables::read_values(const Tables& tables) {
    const auto& rows = tables.rows.at("values");
    const auto roles = tables.rows.find("roles");
    require_symmetry(roles == tables.rows.end() || roles->second.size() == rows.size(), "roles differ in number");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require_symmetry(!rows[i].empty(), "a row of values has no first value");
        Values row{
            rows[i][0], {rows[i].begin() + 1, rows[i].end()}, std::vector<std::uint32_t>(rows[i].size() - 1), {}};
        std::uint32_t most = 0;
        for (std::size_t j = 0; roles != tables.rows.end() && j < row.roles.size(); ++j) {
            require_symmetry(roles->second[i].size() == row.roles.size() && roles->second[i][j] >= 0, "no such role");
            row.roles[j] = static_cast<std::uint32_t>(roles->second[i][j]);
            most = std::max(most, row.roles[j]);
        }
        require_symmetry(most < 100000, "there are too many roles");
        row.meaning.resize((most + 1) * elements());
        for (std::size_t j = 0; j < row.elements.size(); ++j) {
            const std::int32_t element = row.elements[j];
            require_symmetry(element >= -1 && element < static_cast<std::int32_t>(elements()), "no such element");
            if (element >= 0) {
                row.meaning[row.roles[j] * elements() + at(element)] = row.low + static_cast<std::int32_t>(j);
            }
        }
        values.push_back(std::move(row));
    }
}

void SetTables::add_place(std::uint32_t shape, std::size_t number, const Held& found) {
    const std::vector<std::uint32_t>& sets = shapes[shape].sets;
    held.push_back(found);
    places.push_back({shape, static_cast<std::uint32_t>(coordinates.size())});
    coordinates.resize(coordinates.size() + sets.size());
    for (std::size_t j = sets.size(); j-- > 0;) {
        const std::uint32_t set = sets[j];
        coordinates[places.back().first + j] = first_of[set] + static_cast<std::uint32_t>(number % size_of[set]);
        number /= size_of[set];
    }
}

SetCanonicaliser::SetCanonicaliser(std::shared_ptr<const SetTables> tables, std::size_t most, bool counts)
    : Canonicaliser(tables->held, tables->when, tables->clocks, counts), tables_(std::move(tables)), most_(most),
      sums_(tables_->elements()), order_(tables_->elements()), levels_(tables_->elements() + 1) {
    std::iota(order_.begin(), order_.end(), 0);
    for (Level& level : levels_) {
        level.colours.resize(tables_->elements());
        level.sizes.resize(tables_->elements());
    }
}

std::unique_ptr<Canonicaliser> SetCanonicaliser::clone() const {
    auto other = std::make_unique<SetCanonicaliser>(tables_, most_);
    other->share_count(*this);
    return other;
}

double SetCanonicaliser::find() {
    found_ = 0;
    for (std::size_t e = 0; e < tables_->elements(); ++e) {
        levels_[0].colours[e] = tables_->first_of[tables_->set_of[e]];
    }
    search(0, 1);
    return tables_->permutations / same_;
}

// Goes on from the colours of a level. `weight`: how many nodes of the whole tree this one stands for.
void SetCanonicaliser::search(std::size_t depth, double weight) {
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
std::uint32_t SetCanonicaliser::smallest_class(Level& level) const {
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
void SetCanonicaliser::find_first(Level& level, std::uint32_t chosen) {
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

// Tells apart elements of which the state says something different; whether all are told apart then. What the cells say
// comes before what the zone says, so that states with the same cells mostly have representatives with the same cells,
// and one of them can cover the other; for the same reason the order in which clocks were set comes before all else
// that the zone says (Hendriks, Behrmann, Larsen, Niebert, Vaandrager, Adding symmetry reduction to UPPAAL, 2003).
bool SetCanonicaliser::refine(Colours& colours) {
    if (!tables_->has_zone) {
        return refine_by(colours, &SetCanonicaliser::sum_up_all);
    }
    return refine_by(colours, &SetCanonicaliser::sum_up_cells) || refine_by(colours, &SetCanonicaliser::sum_up_ages) ||
           refine_by(colours, &SetCanonicaliser::sum_up_all);
}

bool SetCanonicaliser::refine_by(Colours& colours, void (SetCanonicaliser::*sum_up)(const Colours&)) {
    const std::size_t count = colours.size();
    std::size_t classes = 0;
    while (true) {
        std::fill(sums_.begin(), sums_.end(), 0);
        (this->*sum_up)(colours);
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
void SetCanonicaliser::sum_up_all(const Colours& colours) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        sum_up(i, colours);
    }
}

void SetCanonicaliser::sum_up_cells(const Colours& colours) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (!tables_->shapes[tables_->places[i].shape].of_zone) {
            sum_up(i, colours);
        }
    }
}

// Of how many clocks each element has one that was set no earlier.
void SetCanonicaliser::sum_up_ages(const Colours&) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const SetTables::Shape& shape = tables_->shapes[tables_->places[i].shape];
        if (shape.of_zone && shape.sets.size() == 2 && values_[i] <= kNotAhead) {
            ++sums_[tables_->coordinates[tables_->places[i].first]];
        }
    }
}

void SetCanonicaliser::sum_up(std::size_t i, const Colours& colours) {
    const SetTables::Place& place = tables_->places[i];
    const SetTables::Shape& shape = tables_->shapes[place.shape];
    const std::size_t dimensions = shape.sets.size();
    const std::uint32_t* indices = tables_->coordinates.data() + place.first;
    const auto [held, role] = meant_at(i);
    std::uint64_t told = held >= 0 ? (std::uint64_t{1 + role} << 33) + colours[at(held)]
                                   : static_cast<std::uint64_t>(static_cast<std::uint32_t>(values_[i]));
    told = mix(told, shape.label);
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

// All elements have their order: the state under it is one to choose from.
void SetCanonicaliser::finish(const Colours& order, double weight) {
    const auto renamed = [&](std::uint32_t e) { return order[e]; };
    for (std::size_t i = 0; i < values_.size(); ++i) {
        tried_[place_under(tables_->places[i], renamed)] = value_under(i, renamed);
    }
    sort_bags(tried_);
    if (found_++ == 0 || tried_ < best_) {
        best_.swap(tried_);
        same_ = weight;
    } else if (tried_ == best_) {
        same_ += weight;
    }
}

std::uint32_t SetCanonicaliser::place_under(const SetTables::Place& place, const auto& renamed) const {
    const SetTables::Shape& shape = tables_->shapes[place.shape];
    std::uint32_t number = 0;
    for (std::size_t j = 0; j < shape.sets.size(); ++j) {
        const std::uint32_t set = shape.sets[j];
        number =
            number * tables_->size_of[set] + renamed(tables_->coordinates[place.first + j]) - tables_->first_of[set];
    }
    return shape.first_place + number;
}

SetTables::Meant SetCanonicaliser::meant_at(std::size_t place) const {
    if (alive_[place] == 0) {
        return {-1};
    }
    return tables_->meant(tables_->shapes[tables_->places[place].shape], values_[place]);
}

std::int32_t SetCanonicaliser::value_under(std::size_t place, const auto& renamed) const {
    const auto [held, role] = meant_at(place);
    if (held < 0) {
        return values_[place];
    }
    const SetTables::Shape& shape = tables_->shapes[tables_->places[place].shape];
    return tables_->value(shape, role, renamed(static_cast<std::uint32_t>(held)));
}

// Under other names the entries of a bag may have another order.
void SetCanonicaliser::sort_bags(std::vector<std::int32_t>& values) {
    for (const SetTables::Bag& bag : tables_->bags) {
        entries_.resize(std::max(entries_.size(), bag.places.size() / bag.width));
        const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(bag.places.size() / bag.width);
        std::size_t next = 0;
        for (auto entry = entries_.begin(); entry != end; ++entry) {
            entry->clear();
            for (std::size_t i = 0; i < bag.width; ++i) {
                entry->push_back(values[bag.places[next++]]);
            }
        }
        std::sort(entries_.begin(), end, [](const auto& one, const auto& other) {
            return one[0] != other[0] ? one[0] > other[0] : one < other;
        });
        next = 0;
        for (auto entry = entries_.begin(); entry != end; ++entry) {
            for (const std::int32_t value : *entry) {
                values[bag.places[next++]] = value;
            }
        }
    }
}

bool SetCanonicaliser::is_same_exchanged(std::uint32_t one, std::uint32_t other) {
    const auto renamed = [&](std::uint32_t e) { return e == one ? other : e == other ? one : e; };
    if (!tables_->bags.empty()) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            tried_[place_under(tables_->places[i], renamed)] = value_under(i, renamed);
        }
        sort_bags(tried_);
        return tried_ == values_;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values_[place_under(tables_->places[i], renamed)] != value_under(i, renamed)) {
            return false;
        }
    }
    return true;
}

} // namespace beeline
