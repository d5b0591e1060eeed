// The steps that a process can begin at a location, as bodies of C functions.
//
// An edge whose target can be written straight into packed words is; others are taken in the cells, logged, and may go
// on from there. Broadcasts and steps of many are left to the engine, and so is what may change the goal's truth.
#pragma once

#include "jit/block_writer.hpp"
#include "jit/memory_dialect.hpp"

#include <string>

namespace beeline {

// Whether a cell of the state always has the same value.
bool has_one_value(const Program& program, std::int32_t cell);

class StepWriter {
public:
    StepWriter(const Program& program, const Body& body)
        : program_(program), body_(body), dialect_(program), blocks_(program, dialect_) {}

    // All steps; whether there was one.
    std::string steps(std::int32_t location);
    // The first possible step of a deterministic region, taken in the cells: where it leads, or -1.
    std::string straight(std::int32_t location);
    // The edges that take the message offered: how many, or -1 if finding out failed.
    std::string listening(std::int32_t location);
    // Whether the process may move: 1 if so.
    std::string provided();
    // Whether the state is one that is sought; one in which that has no value counts.
    std::string goal();
    // What an edge does with a message that it got, and its effect, in the cells; -1 if that failed.
    std::string bind(std::int32_t edge);
    std::string effect(std::int32_t edge);

    // Whether the location needs the function `listening`.
    bool listens(std::int32_t location) const;
    // Whether an edge may take part in a handshake.
    bool may_shake(std::int32_t edge) const;

private:
    enum class Mode { Steps, Straight };

    void begin();
    void edge(std::int32_t index, Mode mode);
    void guard(std::int32_t index);
    void taking(std::int32_t index, Mode mode);
    void find_channel(std::int32_t index);
    void fields(std::int32_t index, const char* count);
    void values(std::int32_t index);
    void send(std::int32_t index);
    void receive(std::int32_t index);
    void listen(std::int32_t index);
    void take(std::int32_t index, Mode mode);
    void write_direct(std::int32_t index);
    void perform(std::int32_t index, Mode mode);
    void transfer(std::int32_t index, const char* target);
    void assign(std::int32_t first, std::int32_t count);
    void assignment(const Assignment& next);
    void run(std::int32_t block);
    std::string condition(std::int32_t index) const;
    std::string guard_tests(std::int32_t index) const;
    std::string test(const Test& test) const { return condition_of(test, dialect_); }
    std::string value_name(std::int32_t index, std::int32_t i) const;
    std::string matches(std::int32_t index, const std::string& message) const;
    bool is_left_to_engine(std::int32_t index) const;
    // Whether nobody goes on after a step.
    bool ends_at_once(std::int32_t index) const { return program_.control < 0 && !plan(index).straight; }
    bool is_constant(std::int32_t cell) const { return has_one_value(program_, cell); }
    const EdgePlan& plan(std::int32_t index) const { return program_.plan.edges[static_cast<std::size_t>(index)]; }
    const EdgeRow& row(std::int32_t index) const { return program_.edges[static_cast<std::size_t>(index)]; }
    std::string fresh(const char* name) { return say(name, names_given_++); }

    const Program& program_;
    const Body& body_;
    MemoryDialect dialect_;
    BlockWriter blocks_;
    std::string text_;
    std::string done_, failed_, unsent_; // labels of the edge being written
    int names_given_ = 0;
};

// What is known of an edge's target: the number of its location, or that of no location if the process ends.
std::int32_t target_of(const Program& program, const Body& body, const EdgeRow& edge);
bool keeps_control(const Program& program, const EdgeRow& edge);

} // namespace beeline
