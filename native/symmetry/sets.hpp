// Representatives of states that differ only in the names of things of which all orders are possible.
//
// Such things are elements, numbered so that those of one set follow each other. A cell of the state belongs to a
// shape: an array over some sets, with a cell for each tuple of their elements. What a cell holds may be an element,
// too. A permutation of the elements within their sets moves the cells of each shape, and renames the elements that
// they hold.
//
// The representative of a state is found as canonical labellings of graphs are (McKay, Practical graph isomorphism,
// 1981): elements are told apart by what the state says of them, as far as that goes; where some are alike, each of
// them is tried as the first, unless exchanging it with one that was tried leaves the state as it is. The least of the
// states that come out is the representative.
#pragma once

#include "symmetry/canonicaliser.hpp"

namespace beeline {

// Which cells are exchanged with which; the same for all threads.
class SetTables {
public:
    // Number `clocks`, see `read_clocks`; `sets`: the size of each; rows `values`: a first value and, from there on,
    // the element that is meant, or -1; rows `roles`, if there are any: for each of these the role in which it is meant
    // (its first location, its second); rows `shapes`: a row of `values` or -1, then the sets that index it; rows
    // `cells` of the same number: the cells of each shape, the last set's elements fastest; rows `lengths`, if there
    // are any: for each cell of a shape whose cells are parts of messages the cell with the channel's length, after the
    // position in the channel; `labels`, if there are any: a number for each shape, the same for shapes that must not
    // be told apart; rows `bags`, if there are any: how many cells an entry has, and the cells of all entries, those of
    // bags within others first. The entries of a bag are kept in order: by their first cells, the larger first, then by
    // the others, the smaller first. Throws std::invalid_argument for tables that make no sense.
    SetTables(const Program& program, const Tables& tables);

    struct Place {
        std::uint32_t shape;
        std::uint32_t first; // of its coordinates
    };
    struct Shape {
        std::int32_t values;
        std::uint32_t first_place;
        std::uint32_t label;
        std::vector<std::uint32_t> sets;
        bool of_zone = false; // whether its cells are bounds
    };
    struct Bag {
        std::size_t width; // of an entry
        std::vector<std::uint32_t> places;
    };
    struct Values {
        std::int32_t low;
        std::vector<std::int32_t> elements;
        std::vector<std::uint32_t> roles;
        std::vector<std::int32_t> meaning; // by role and element: the value
    };
    struct Meant {
        std::int32_t element; // -1: none
        std::uint32_t role = 0;
    };

    std::size_t elements() const { return set_of.size(); }
    // What a value of a shape's cell means.
    Meant meant(const Shape& shape, std::int32_t value) const {
        if (shape.values < 0) {
            return {-1};
        }
        const Values& row = values[static_cast<std::size_t>(shape.values)];
        const auto offset = static_cast<std::size_t>(static_cast<std::int64_t>(value) - row.low);
        return offset < row.elements.size() ? Meant{row.elements[offset], row.roles[offset]} : Meant{-1};
    }
    // The value by which a shape's cells mean an element in a role.
    std::int32_t value(const Shape& shape, std::uint32_t role, std::uint32_t element) const {
        return values[static_cast<std::size_t>(shape.values)].meaning[role * elements() + element];
    }

    std::size_t clocks;
    std::vector<std::uint32_t> set_of;            // by element
    std::vector<std::uint32_t> first_of, size_of; // by set
    std::vector<Values> values;
    std::vector<Shape> shapes;
    std::vector<Held> held;
    std::vector<Place> places;
    std::vector<std::uint32_t> coordinates;
    std::vector<Condition> when;
    std::vector<Bag> bags;
    double permutations = 1;
    bool has_zone = false;

private:
    void read_sets(const Tables& tables);
    void read_values(const Tables& tables);
    void read_bags(const Tables& tables);
    void add_place(std::uint32_t shape, std::size_t number, const Held& found);
};

class SetCanonicaliser final : public Canonicaliser {
public:
    // Looks at no more than `most` orders of the elements for one state; 0: at as many as are needed.
    SetCanonicaliser(std::shared_ptr<const SetTables> tables, std::size_t most, bool counts = false);

    std::unique_ptr<Canonicaliser> clone() const override;

private:
    using Colours = std::vector<std::uint32_t>; // by element: how many come before all that are like it

    // What one node of the search needs; kept, so that nothing is allocated for a state.
    struct Level {
        Colours colours;
        std::vector<std::uint32_t> sizes, first, alike;
    };

    double find() override;
    void search(std::size_t depth, double weight);
    std::uint32_t smallest_class(Level& level) const;
    void find_first(Level& level, std::uint32_t chosen);
    bool refine(Colours& colours);
    bool refine_by(Colours& colours, void (SetCanonicaliser::*sum_up)(const Colours&));
    void sum_up_cells(const Colours& colours);
    void sum_up_ages(const Colours& colours);
    void sum_up_all(const Colours& colours);
    void sum_up(std::size_t place, const Colours& colours);
    void finish(const Colours& order, double weight);
    bool is_same_exchanged(std::uint32_t one, std::uint32_t other);
    void sort_bags(std::vector<std::int32_t>& values);
    SetTables::Meant meant_at(std::size_t place) const;
    std::uint32_t place_under(const SetTables::Place& place, const auto& renamed) const;
    std::int32_t value_under(std::size_t place, const auto& renamed) const;

    std::shared_ptr<const SetTables> tables_;
    std::size_t most_;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint32_t> order_;
    std::vector<Level> levels_;
    std::size_t found_ = 0;
    double same_ = 0;                                // orders that lead to the best
    std::vector<std::vector<std::int32_t>> entries_; // of the bag that is sorted
};

} // namespace beeline
