// Functions of processes and of steps that several take together, in a device's code.
#pragma once

#include "gpu/move_writer.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

class BodyWriter {
public:
    // A receive, or an edge with a label, of another process that may take part in a step.
    struct Partner {
        std::int32_t body, location, edge;
    };
    using Partners = std::vector<Partner>;
    using Groups = std::vector<std::pair<std::int32_t, Partners>>; // by process number

    explicit BodyWriter(const Program& program);

    // All functions that were asked for.
    std::string write();
    const MoveWriter& moves() const { return moves_; }
    std::string value(std::int32_t cell) const { return moves_.dialect().value(cell); }

    // Those of a process who may take part in a step that an edge begins, in the order of their edges.
    Partners partners(std::int32_t process, std::int32_t edge) const;
    // Whether pairs of edges have no functions of their own, because there are too many.
    bool has_many_pairs() const { return has_many_pairs_; }

    // Names of functions, which are written if they are new.
    // `(t, timeout, f, number, fields, fine)`: which partners of a process take what an edge sends, as bits; `fine` is
    // less than YES if that cannot be said. No name if there are none.
    std::string listen(std::int32_t process, std::int32_t edge);
    // `(t, f)`: a handshake, in place, as StepTaker::perform with two partners, of which the second gets the
    // message.
    std::string shake(std::int32_t body, std::int32_t edge, const Partner& partner);
    // `(t, f, k, stages)`: the part of partner k of a process in a handshake, in stages: what it gets, its effect, its
    // new location, and what follows.
    std::string answer(std::int32_t process, std::int32_t edge);
    // `(t, f, c1, c2, ..)`: a step of many, each with the partner that was chosen, or -1; and what follows.
    std::string cast(std::int32_t body, std::int32_t edge, const Groups& groups);

    bool is_committed(std::int32_t location) const;
    bool is_straight(std::int32_t edge) const { return moves_.plan(edge).straight; }

private:
    void count_pairs();
    void functions_of(const Body& body);
    void edge_functions(std::int32_t edge);
    void starts();
    void watching();
    void run_on(std::int32_t body);
    void can_begin(std::int32_t body);
    std::string ask_edge(std::int32_t edge);
    void settle(std::int32_t body);
    void ends();
    bool may_take(std::int32_t edge, std::int32_t other) const;
    std::string listen_text(std::int32_t process, const Partners& all, bool labelled);
    // A function that is written once for each text.
    std::string named(std::map<std::string, std::string>& known, const std::string& head, const std::string& parameters,
                      const std::string& text);
    // Whether the process goes on alone after an edge, and after some edge of a body.
    bool keeps(std::int32_t edge) const;
    bool keeps_control(std::int32_t body) const;
    std::int32_t body_index(const Body& body) const {
        return static_cast<std::int32_t>(&body - program_.bodies.data());
    }

    const Program& program_;
    MoveWriter moves_;
    std::string functions_;
    std::map<std::string, std::string> listeners_, answers_; // names by text
    bool has_many_pairs_ = false;
};

} // namespace beeline
