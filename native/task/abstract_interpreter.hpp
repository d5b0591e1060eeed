// Runs bytecode on cells that are not fixed: a read of such a cell chooses one of the values seen so far, and all
// combinations of choices are gone through one after the other by running the same code again.
#pragma once

#include "vm/program.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace beeline {

// A number, or nothing known about it but perhaps that it is what a cell had when the step began.
struct Guess {
    std::int32_t value = 0;
    bool known = true;
    std::int32_t copied = -1; // that cell

    bool is_copy() const { return copied >= 0; }
};

class AbstractInterpreter {
public:
    explicit AbstractInterpreter(const Program& program);

    enum class End { kFalse, kTrue, kFailed };

    // Calls `attempt` once for each combination of choices; it runs blocks and looks at the results. Stops and returns
    // false after `most` combinations.
    bool enumerate(std::int32_t most, const std::function<void()>& attempt);

    End run(std::int32_t block);
    End run_if_any(std::int32_t block) { return block < 0 ? End::kTrue : run(block); }
    Guess read(std::int32_t cell);
    // Which processes are there, and where they are: chosen where `loose`, too. Gives up where it cannot be told.
    Guess read_place(std::int32_t cell);
    // For values that are only handed on: where `apart`, nothing is chosen for them.
    Guess peek(std::int32_t cell);
    // A copy of what was chosen in the meantime is that value.
    Guess settled(Guess guess) const;
    // Goes on only if the cell can have this value, and then it has.
    bool assume(std::int32_t cell, std::int32_t value);
    void write(std::int32_t cell, Guess value);
    // A free choice among `count` ways, not tied to a cell.
    std::int32_t choose(std::int32_t count);
    // The channel behind a number, or null.
    const ChannelPlace* channel(std::int32_t number);
    const Body* body(std::int32_t number);
    bool remove(std::int32_t number);
    // Makes a value that is known one of the domain; false if it is none.
    static bool fit(const Domain& domain, Guess& value);

    // What a run read of the state (cell and value), and what it wrote.
    struct Access {
        std::int32_t cell;
        Guess value;
    };
    std::vector<Access> reads;
    std::vector<Access> writes;
    std::vector<std::int32_t> looked_at; // every cell whose possible values decided something
    bool errors = false;                 // what is not known may also be what makes a step fail
    bool apart = false;    // what is only copied is not chosen, so that copies are independent of each other
    bool copied = false;   // something was; reset by the owner
    bool loose = false;    // read only what was assumed or found equal, and places: fewer combinations, less known
    bool guessed = false;  // something depended on what is not known
    bool gave_up = false;  // some attempt took too many instructions, or what must be known was not
    std::int64_t work = 0; // instructions so far, and a few for each combination
    bool used_new = false; // some choice was a value that the previous enumeration did not have

    // Values that a cell can have: set by the owner. A cell marked wild reads as unknown.
    std::vector<std::vector<std::int32_t>> values;
    std::vector<std::uint8_t> wild;
    std::vector<std::int32_t> old_counts; // how many of a cell's values the previous enumeration knew
    std::vector<Guess> scratch;           // constants and temporaries, by cell - state_cells
    Guess value;                          // of RETURN_VALUE

private:
    struct Choice {
        std::int32_t taken, count;
    };
    // As in Machine.
    struct Frame {
        std::int32_t first, resume;
        std::vector<Guess> cells;
    };
    End follow(std::int32_t block, std::size_t frames);
    bool may_fail(Guess guess);
    Guess resolve(Guess guess);
    Guess choose_value(std::int32_t cell);
    bool fits_all(const Domain& domain, std::int32_t target, std::int32_t source) const;
    bool jump_on(Guess guess); // whether "not zero", chosen if unknown
    bool is_open(std::int32_t cell) const;
    std::optional<bool> test(std::int32_t cell, const std::vector<std::int32_t>& wanted);
    std::optional<bool> test_equal(std::int32_t left, std::int32_t right);
    std::optional<bool> test_set(std::int32_t cell, std::int32_t set);
    Guess is_within(Guess location, std::int32_t set) const;
    bool store(std::int32_t cell, Guess stored, std::int32_t domain);
    bool start(const Instruction& ins);
    std::int32_t live();

    const Program& program_;
    std::vector<Frame> frames_;
    std::vector<Choice> choices_;
    std::size_t next_choice_ = 0;
    std::vector<std::int32_t> run_of_;    // by cell: the last run that knew its value
    std::vector<Guess> current_;          // that value
    std::vector<std::int32_t> chosen_in_; // by cell: the last run that chose what it has in the state
    std::vector<Guess> chosen_;           // that value
    std::vector<std::pair<std::int32_t, std::int32_t>> denied_; // cells and values that they were found not to have
    std::int32_t run_number_ = 0;
    std::int32_t budget_ = 0;
    bool starting_ = false;
};

} // namespace beeline
