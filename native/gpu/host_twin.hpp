// The host's side of a program that is searched on a device: learns which values occur, chooses a layout of states by
// that, and finds the steps that the device leaves to it.
#pragma once

#include "program/program_space.hpp"

#include <exception>
#include <map>
#include <memory>
#include <vector>

namespace beeline {

// Thrown where the layout had no room for a value; it has now, and the device must begin again with it.
struct LayoutChanged : std::exception {
    const char* what() const noexcept override { return "the layout of states was changed"; }
};

class HostTwin {
public:
    // States with keys of at most so many bits are kept in the slots of the device's table: in one number, or in two.
    static constexpr std::size_t kNarrow = 61, kPair = 122;

    explicit HostTwin(std::shared_ptr<const Program> full);

    // Looks at so many states from the beginning on, and at as many on random walks, for the values that occur. True if
    // there are no more states than that.
    bool sample(std::size_t states);
    // The layout must have room for such values, by cell: the device met them.
    void widen(const std::map<std::int32_t, std::int32_t>& values);
    // The program in the layout that the device uses.
    const Program& program() const { return *present_; }

    // The steps of states, in the order in which they are given: all targets, and for each state how many it has, how
    // many of its steps fail, and its marks. Throws TooManyProcesses, and LayoutChanged.
    struct Steps {
        std::vector<Word> targets;
        std::vector<std::uint32_t> counts, errors, marks;
    };
    Steps expand(const std::vector<Word>& states);

    // A state of the full layout in the device's. Throws LayoutChanged.
    std::vector<Word> to_device(const std::vector<Word>& state);

private:
    void look_around(std::size_t states, bool& all);
    void walk(std::size_t steps);
    void note(const Word* state);
    void lay_out();
    void add_room(Ranges& ranges, std::size_t most) const;

    std::shared_ptr<const Program> full_;
    std::shared_ptr<const Program> present_;
    ProgramSpace space_; // in the full layout
    Ranges seen_;
    int widenings_ = 0;
};

} // namespace beeline
