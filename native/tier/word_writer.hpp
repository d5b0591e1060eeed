// Changes to the packed words of a step's target, as C. Words are kept in variables while it is known which of them
// change, so that each takes one look, one store and one multiplication for the hash.
#pragma once

#include "tier/cells.hpp"

#include <map>
#include <string>

namespace beeline {

class WordWriter {
public:
    // Appends to `text`. `t` is the target, a copy of the origin `o`; `s` the sum of its hash.
    WordWriter(const Program& program, std::string& text) : program_(program), text_(text) {}

    // Bits of a word that are known.
    void patch(const Patch& patch);
    // A cell takes the value of an expression without side effects; code that finds too few bits goes away.
    void put(std::int32_t cell, const std::string& value);
    // A cell whose number is computed.
    void put_at(const std::string& cell, const std::string& value);
    // Writes what is in variables.
    void flush();

private:
    std::string variable(std::uint32_t word);

    const Program& program_;
    std::string& text_;
    std::map<std::uint32_t, std::string> open_; // variables that words are in
    bool fresh_ = true;                         // the target's words are the origin's
    int names_ = 0;
};

} // namespace beeline
