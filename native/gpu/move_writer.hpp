// What one edge does, as functions of a device's code over the packed words of a state.
//
// All functions return YES or KEEPS (the process keeps control), NO, FAILED (a run-time error), or LEFT: the engine
// must find the steps of this state.
#pragma once

#include "gpu/packed_dialect.hpp"
#include "jit/block_writer.hpp"

#include <string>
#include <vector>

namespace beeline {

// Whether something watches the run that may come to an end, which is what is sought.
bool ends_watched(const Program& program);

class MoveWriter {
public:
    explicit MoveWriter(const Program& program) : program_(program), dialect_(program), blocks_(program, dialect_) {}

    const PackedDialect& dialect() const { return dialect_; }

    // `move_E(t, timeout, ask)`: takes an edge without a partner, in place, up to its target; with `ask` only says
    // whether that is possible.
    std::string move(std::int32_t edge);
    // `offer_E(t, timeout, f, number, place)`: the message of a send to whoever listens, and its channel.
    std::string offer(std::int32_t edge);
    // `hear_E(t, timeout, f, number, fields)`: whether a receive takes such a message.
    std::string hear(std::int32_t edge);
    // `guard_E(t, timeout)`: for edges of many.
    std::string guard(std::int32_t edge);
    // `bind_E(t, f)`, `effect_E(t)` and `go_E(t)`: what a partner does with the message, its effect, its new location.
    std::string bind(std::int32_t edge);
    std::string effect(std::int32_t edge);
    std::string go(std::int32_t edge);
    // `provided_B(t, timeout)`: whether processes of a body may move.
    std::string provided(std::int32_t body);
    // `start_K_N(t, arguments)`: the number of a new process of kind K with N parameters.
    std::string start(std::int32_t kind, std::int32_t parameters);
    // `channel_at(t, number)`: the place of a channel among all, counted from one; 0 if there is none.
    std::string channel_at();
    // `goal(t)`
    std::string goal();
    // `NAME(t, timeout)`: what a block says of a state.
    std::string question(std::int32_t block, const std::string& name);
    // `NAME(t)`: whether a block can be done, which leaves the state as it is.
    std::string trial(std::int32_t block, const std::string& name);
    // `NAME(t)`: the value of an expression, 0 if it is negative or there is none.
    std::string value(std::int32_t block, const std::string& name);

    // Whether an edge may be taken, or fail, without a partner.
    bool may_go_alone(std::int32_t edge) const;
    // Whether it may send to, or receive from, a channel with messages in it, or one without.
    bool may_buffer(std::int32_t edge) const;
    bool may_offer(std::int32_t edge) const;
    bool may_hear(std::int32_t edge) const;
    // Whether it may be a handshake, or a broadcast.
    bool may_shake(std::int32_t edge) const;
    bool may_broadcast(std::int32_t edge) const;
    // The channels that an edge may mean, by their positions.
    std::vector<std::int32_t> channels_of(std::int32_t edge) const;
    std::string is_highest(std::int32_t number) const;
    const EdgeRow& row(std::int32_t edge) const { return program_.edges[static_cast<std::size_t>(edge)]; }
    const EdgePlan& plan(std::int32_t edge) const { return program_.plan.edges[static_cast<std::size_t>(edge)]; }

private:
    template <class Is>
    bool may_mean(std::int32_t edge, Is&& is) const;
    void begin();
    std::string function(const std::string& head) const;
    std::string fresh(const char* name) { return say(name, names_given_++); }
    void run(std::int32_t block);
    void ask_guard(std::int32_t edge, const char* failed = "r");
    void arrive(std::int32_t edge);
    void find_channel(std::int32_t edge, bool reports);
    std::string channels_before(std::size_t process) const;
    void values(std::int32_t edge, const char* failed);
    std::string value_name(std::int32_t edge, std::int32_t i) const;
    void send(std::int32_t edge, const ChannelPlace& channel);
    void fields(std::int32_t edge, const ChannelPlace& channel, const char* failed);
    void put_message(std::int32_t edge, const ChannelPlace& channel);
    void receive(std::int32_t edge, const ChannelPlace& channel);
    void take_message(const ChannelPlace& channel, bool anywhere);
    bool shift_down(const ChannelPlace& channel);
    std::string matches(std::int32_t edge, const ChannelPlace& channel, std::int32_t message) const;
    PackedDialect::Cells column(const ChannelPlace& channel, std::int32_t field) const;
    std::int32_t empty_value(std::int32_t cell) const;

    const Program& program_;
    PackedDialect dialect_;
    BlockWriter blocks_;
    std::string text_;
    int names_given_ = 0;
};

} // namespace beeline
