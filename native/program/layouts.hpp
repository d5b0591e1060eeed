// The layouts of a program's states that a search goes through, with bits for the values that occur and not for all
// that are allowed.
//
// Models declare bytes and store small numbers in them. What range a cell really needs is learnt from states that were
// reached; every value written is checked, so that a guess that proves too small costs a conversion and never a state.
#pragma once

#include "space/space.hpp"
#include "vm/program.hpp"

#include <memory>
#include <vector>

namespace beeline {

class Layouts {
public:
    explicit Layouts(std::shared_ptr<const Program> full) : full_(std::move(full)), current_(full_) {}

    // The program with room for every value, and in the present layout.
    const std::shared_ptr<const Program>& full() const { return full_; }
    const std::shared_ptr<const Program>& current() const { return current_; }

    // Takes the layout that the given states need, if it has fewer words; says whether.
    bool tighten(std::size_t count, StateAt state);
    // Takes a layout with room for the value that was too much.
    void widen(const TooNarrow& reason);
    // Goes back to room for every value; says whether that is a change.
    bool use_full();
    // What has room in the present layout, by cell; nothing in the full one. A layout that is made of it has as many
    // bits for each cell, maybe in other places.
    Ranges ranges() const;
    void take_ranges(const Ranges& ranges);
    // Takes the present layout of another one with the same program; says whether that is a change.
    bool follow(const Layouts& other);

    // Writes a state of the layout before the last change in the present one.
    void convert(const Word* from, Word* to) const;
    // Whether the last change left every state with the hash that it had.
    bool keeps_hashes() const { return keeps_hashes_; }
    // The bits of each cell in the present layout.
    UnitPlaces unit_places() const;

private:
    // Bits of a word before a change of layout that are bits of a word after it.
    struct Transfer {
        std::uint32_t from, to, mask;
        std::uint32_t down; // they are shifted by this much, after having been shifted up by 32
    };

    void change_to(std::shared_ptr<const Program> program);
    void find_transfers(const Program& previous);
    void add_transfer(const Transfer& transfer);
    Ranges ranges_of(std::size_t count, StateAt state) const;
    std::vector<std::int32_t> family_of(std::size_t cell) const;
    std::vector<std::int32_t> never_zero_beside(std::size_t cell) const;

    std::shared_ptr<const Program> full_, current_;
    int widenings_ = 0;
    // The last change.
    std::vector<Transfer> transfers_;
    std::vector<Word> converted_zero_; // what a state of zeros becomes
    bool keeps_hashes_ = false;
};

} // namespace beeline
