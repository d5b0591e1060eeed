// States that are alike, made one: each is put in the place of its representative.
//
// Cells that can be exchanged or whose contents can be renamed are places. After the cells of a program come the bounds
// of a zone, if its states have one, row by row: they are places, too. Two ways lead to representatives: things of
// which all orders are possible (`sets.hpp`), and a group whose members are listed (`group.hpp`). With a bound on how
// many images of a state are looked at, the representative may be one of several: that costs states, and is sound.
#pragma once

#include "state/word.hpp"
#include "vm/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

// What a cell that is exchanged holds. A part of a message means something only while its channel is that long.
struct Held {
    std::int32_t cell;
    std::int32_t length = -1; // the cell with the channel's length, if it is a part of a message
    std::int32_t position = 0;
};

// States of which representatives are known: those in which each of some cells has one of some values.
struct Condition {
    std::int32_t cell;
    std::vector<std::int32_t> allowed;
};

// The loosest bound of a zone that says that one clock is not ahead of another: the smaller, the tighter.
inline constexpr std::int32_t kNotAhead = 1;

// How many clocks the zones of states have, the one that is always zero included: number `clocks`; none without it.
std::size_t read_clocks(const Tables& tables);
// Whether a place can be there: a cell of the program, or a bound of a zone.
bool is_place(const Program& program, std::size_t clocks, std::int32_t cell);
// Reads rows `when`: a cell and its allowed values; none if there are no such rows.
std::vector<Condition> read_conditions(const Program& program, const Tables& tables);
// Throws std::invalid_argument for tables that make no sense.
void require_symmetry(bool condition, const char* what);

class Canonicaliser {
public:
    virtual ~Canonicaliser() = default;
    Canonicaliser(const Canonicaliser&) = delete;
    Canonicaliser& operator=(const Canonicaliser&) = delete;

    virtual std::unique_ptr<Canonicaliser> clone() const = 0;

    bool counts() const { return represented_ != nullptr; }
    void count(const Program& program, const Word* state) { *represented_ += orbit(program, state); }
    double represented() const { return counts() ? represented_->load() : 0; }
    void put_back(double represented) {
        if (counts()) {
            *represented_ = represented;
        }
    }
    // How many words a state has, with its zone.
    std::size_t words(const Program& program) const { return program.words + clocks_ * clocks_; }
    // Puts the representative in the place of a state of a program, which may have any layout. Returns whether that is
    // another state. Throws TooNarrow where the layout has no room for it.
    bool apply(const Program& program, Word* state);
    // How many states the representative of a state stands for, if all images are looked at.
    double orbit(const Program& program, const Word* state);

protected:
    using Sum = std::atomic<double>;

    // With `counts`, it counts what the states that it is told of stand for, those told to its clones included.
    Canonicaliser(const std::vector<Held>& places, const std::vector<Condition>& when, std::size_t clocks, bool counts);

    // Puts the least image of `values_` that is looked at into `best_`; returns the size of the orbit.
    virtual double find() = 0;

    void share_count(const Canonicaliser& other) { represented_ = other.represented_; }

    std::vector<std::int32_t> values_, best_, tried_;
    std::vector<std::uint8_t> alive_; // by place: whether it means something

private:
    bool is_known(const Program& program, const Word* state) const;
    void read(const Program& program, const Word* state);

    const std::vector<Held>& places_; // of the tables that all clones share
    const std::vector<Condition>& when_;
    const std::size_t clocks_;
    std::shared_ptr<Sum> represented_;
};

} // namespace beeline
