// All steps of a state, as one function of a device's code.
//
// `expand(s, x)` is run by many lanes at once, each with a state of its own. For one process after the other, each lane
// goes through the ways to begin a step at the location where its process is: an edge alone, or with a process that may
// answer it. Lanes may be at different ways, but come together after each, where `arrive` takes what they found.
#pragma once

#include "gpu/body_writer.hpp"

#include <string>
#include <vector>

namespace beeline {

class ExpansionWriter {
public:
    explicit ExpansionWriter(const Program& program) : program_(program), bodies_(program) {}

    std::string write();

private:
    // A way to begin a step: statements that set `r` and `t`, and `again` if there is more to come of it. They know
    // `done`, which is 0 at first and then what they made of it; `go`: the edge may be taken; `any`: a way was
    // possible.
    using Ways = std::vector<std::string>;

    void process(const Body& body);
    Ways ways(const Body& body, std::int32_t location);
    void alone(Ways& ways, std::int32_t edge) const;
    void shaking(Ways& ways, std::int32_t edge);
    std::string meeting(std::int32_t edge, std::int32_t process, const BodyWriter::Partners& all);
    void casting(Ways& ways, std::int32_t edge);
    std::string knows(std::int32_t process, std::int32_t label) const;
    std::string is_allowed(const std::string& committed) const;
    bool is_committed(std::int32_t edge) const;
    std::int32_t body_of(std::int32_t edge) const { return owners_[static_cast<std::size_t>(edge)]; }

    const Program& program_;
    BodyWriter bodies_;
    std::vector<std::int32_t> owners_;  // bodies by edge
    std::vector<std::int32_t> origins_; // locations by edge
    std::string text_;
};

} // namespace beeline
