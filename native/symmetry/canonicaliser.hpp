// States that differ only in the names of interchangeable things (the members of a scalarset), made one.
//
// Such things are elements, numbered so that those of one set follow each other. A cell of the state belongs to a
// shape: an array over some sets, with a cell for each tuple of their elements. What a cell holds may be an element,
// too. A permutation of the elements within their sets moves the cells of each shape, and renames the elements that
// they hold.
//
// The representative of a state is found as canonical labellings of graphs are (McKay, Practical graph isomorphism,
// 1981): elements are told apart by what the state says of them, as far as that goes; where some are alike, each of
// them is tried as the first, unless exchanging it with one that was tried leaves the state as it is. The least of the
// states that come out is the representative. With a bound on how many are looked at it may be one of several: that
// costs states, and is sound.
#pragma once

#include "state/word.hpp"
#include "vm/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

// Which cells are exchanged with which; the same for all threads.
class SymmetryTables {
public:
    // `sets`: the size of each; rows `values`: a first value and, from there on, the element that is meant, or -1;
    // rows `shapes`: a row of `values` or -1, then the sets that index it; rows `cells` of the same number: the cells
    // of each shape, the last set's elements fastest. Throws std::invalid_argument for tables that make no sense.
    SymmetryTables(const Program& program, const Tables& tables);

    struct Place {
        std::int32_t cell;
        std::uint32_t shape;
        std::uint32_t first; // of its coordinates
    };
    struct Shape {
        std::int32_t values;
        std::uint32_t first_place;
        std::vector<std::uint32_t> sets;
    };
    struct Values {
        std::int32_t low;
        std::vector<std::int32_t> elements;
    };

    std::size_t elements() const { return set_of.size(); }
    // The element that a value of a shape's cell means, -1 if it means none.
    std::int32_t element(const Shape& shape, std::int32_t value) const {
        if (shape.values < 0) {
            return -1;
        }
        const Values& row = values[static_cast<std::size_t>(shape.values)];
        const auto offset = static_cast<std::size_t>(static_cast<std::int64_t>(value) - row.low);
        return offset < row.elements.size() ? row.elements[offset] : -1;
    }

    std::vector<std::uint32_t> set_of;            // by element
    std::vector<std::uint32_t> first_of, size_of; // by set
    std::vector<Values> values;
    std::vector<Shape> shapes;
    std::vector<Place> places;
    std::vector<std::uint32_t> coordinates;
    double permutations = 1;
};

class Canonicaliser {
public:
    // Looks at no more than `most` orders of the elements for one state; 0: at as many as are needed.
    // With `counts`, it counts what the states that it is told of stand for, those told to its clones included.
    Canonicaliser(std::shared_ptr<const SymmetryTables> tables, std::size_t most, bool counts = false);

    std::unique_ptr<Canonicaliser> clone() const {
        auto other = std::make_unique<Canonicaliser>(tables_, most_);
        other->represented_ = represented_;
        return other;
    }
    bool counts() const { return represented_ != nullptr; }
    void count(const Program& program, const Word* state) { *represented_ += orbit(program, state); }
    double represented() const { return counts() ? represented_->load() : 0; }
    // Puts the representative in the place of a state of a program, which may have any layout. Returns whether that is
    // another state. Throws TooNarrow where the layout has no room for it.
    bool apply(const Program& program, Word* state);
    // How many states the representative of a state stands for, if all orders are looked at.
    double orbit(const Program& program, const Word* state);

private:
    using Sum = std::atomic<double>;
    using Colours = std::vector<std::uint32_t>; // by element: how many come before all that are like it

    // What one node of the search needs; kept, so that nothing is allocated for a state.
    struct Level {
        Colours colours;
        std::vector<std::uint32_t> sizes, first, alike;
    };

    void read(const Program& program, const Word* state);
    void find();
    void search(std::size_t depth, double weight);
    std::uint32_t smallest_class(Level& level) const;
    void find_first(Level& level, std::uint32_t chosen) const;
    bool refine(Colours& colours);
    void sum_up(const Colours& colours);
    void finish(const Colours& order, double weight);
    bool is_same_exchanged(std::uint32_t one, std::uint32_t other) const;
    std::uint32_t place_under(const SymmetryTables::Place& place, const auto& renamed) const;
    std::int32_t value_under(std::size_t place, const auto& renamed) const;

    std::shared_ptr<const SymmetryTables> tables_;
    std::size_t most_;
    std::shared_ptr<Sum> represented_;
    std::vector<std::int32_t> values_, best_, tried_;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint32_t> order_;
    std::vector<Level> levels_;
    std::size_t found_ = 0;
    double same_ = 0; // orders that lead to the best
};

} // namespace beeline
