#include "gpu/move_writer.hpp"

#include "vm/at.hpp"

#include <algorithm>

namespace beeline {

namespace {

bool is_buffer(const ChannelPlace& channel) { return channel.capacity > 0 && channel.broadcast == 0; }

constexpr const char* kEscape = "return LEFT;";

} // namespace

bool ends_watched(const Program& program) {
    return std::any_of(program.monitor.begin(), program.monitor.end(),
                       [](const MonitorRow& row) { return row.end != 0; });
}

// What edges may do

std::vector<std::int32_t> MoveWriter::channels_of(std::int32_t edge) const {
    if (!row(edge).is(Sync::Send) && !row(edge).is(Sync::Receive)) {
        return {};
    }
    if (plan(edge).channel >= 0) {
        return {plan(edge).channel};
    }
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < program_.channels.size(); ++i) {
        all.push_back(static_cast<std::int32_t>(i));
    }
    return all;
}

template <class Is>
bool MoveWriter::may_mean(std::int32_t edge, Is&& is) const {
    const auto all = channels_of(edge);
    return std::any_of(all.begin(), all.end(), [&](std::int32_t i) { return is(program_.channels[at(i)]); });
}

bool MoveWriter::may_buffer(std::int32_t edge) const { return may_mean(edge, is_buffer); }

bool MoveWriter::may_go_alone(std::int32_t edge) const {
    const bool may_fail = row(edge).is(Sync::Receive) && (plan(edge).guard >= 0 || plan(edge).channel < 0);
    return row(edge).is(Sync::None) || may_buffer(edge) || may_fail;
}

bool MoveWriter::may_broadcast(std::int32_t edge) const {
    return may_mean(edge, [](const ChannelPlace& channel) { return channel.broadcast != 0; });
}

bool MoveWriter::may_shake(std::int32_t edge) const {
    return may_mean(edge, [](const ChannelPlace& c) { return c.broadcast == 0 && c.capacity == 0; });
}

bool MoveWriter::may_offer(std::int32_t edge) const {
    return row(edge).is(Sync::Send) && (may_shake(edge) || may_broadcast(edge));
}

bool MoveWriter::may_hear(std::int32_t edge) const {
    return row(edge).is(Sync::Receive) && !plan(edge).never && (may_shake(edge) || may_broadcast(edge));
}

std::string MoveWriter::is_highest(std::int32_t number) const {
    const std::size_t next = at(number) + 1;
    return next == program_.processes.size() ? "1" : say("!", dialect_.is_live(next));
}

// Functions

void MoveWriter::begin() {
    dialect_.begin();
    names_given_ = 0;
    text_.clear();
}

std::string MoveWriter::function(const std::string& head) const {
    return say(head, " {\n", dialect_.declarations(), "  int r = YES; int32_t value = 0; (void)r; (void)value;\n",
               text_, "}\n");
}

// A block that the function ends with, unless it is fine.
void MoveWriter::run(std::int32_t block) {
    if (block >= 0) {
        text_ += say(blocks_.write(block, fresh("b")), "  if (r < 0) return r;\n");
    }
}

void MoveWriter::ask_guard(std::int32_t edge, const char* failed) {
    const EdgePlan& p = plan(edge);
    if (p.never) {
        text_ += "  return NO;\n";
        return;
    }
    if (p.guard >= 0) {
        text_ += say(blocks_.write(p.guard, fresh("b")), "  if (r <= 0) return ", failed, ";\n");
    }
    for (std::int32_t i = 0; p.guard < 0 && i < p.tests; ++i) {
        text_ += say("  if (!(", condition_of(program_.plan.tests[at(p.first_test + i)], dialect_), ")) return NO;\n");
    }
    if (p.terminates) {
        text_ += say("  if (!(", is_highest(program_.number_of_edge[at(edge)]), ")) return NO;\n");
    }
}

// The new location, and the end of a process.
void MoveWriter::arrive(std::int32_t edge) {
    const ProcessPlace& place = program_.processes[at(program_.number_of_edge[at(edge)])];
    text_ += say("  ", dialect_.put(place.location, say(row(edge).target), kEscape), "\n");
    if (plan(edge).terminates) {
        text_ += say("  if (!(", is_highest(program_.number_of_edge[at(edge)]), ")) return FAILED;\n");
        for (std::int32_t cell = place.first_cell; cell < place.end_cell; ++cell) {
            text_ += say("  ", dialect_.put(cell, "0", kEscape), "\n");
        }
    }
}

std::string MoveWriter::move(std::int32_t edge) {
    begin();
    ask_guard(edge);
    if (row(edge).is(Sync::None)) {
        text_ += "  if (ask) return YES;\n";
    } else {
        find_channel(edge, true);
        text_ += "  switch (place) {\n";
        for (const std::int32_t i : channels_of(edge)) {
            const ChannelPlace& channel = program_.channels[at(i)];
            if (is_buffer(channel)) {
                text_ += say("  case ", i + 1, ": {\n");
                row(edge).is(Sync::Send) ? send(edge, channel) : receive(edge, channel);
                text_ += "  break; }\n";
            }
        }
        text_ += "  default: return NO;\n  }\n";
    }
    text_ += "  { const int32_t timeout = 0; (void)timeout;\n"; // what a step does is judged without it
    if (row(edge).is(Sync::Receive)) {
        run(row(edge).bind);
    }
    run(row(edge).effect);
    text_ += "  }\n";
    arrive(edge);
    const bool keeps = program_.control >= 0 && (row(edge).flags & (kKeepsControl | kTerminates)) == kKeepsControl;
    text_ += keeps ? "  return KEEPS;\n" : "  return YES;\n";
    return function(say("STEP int move_", edge, "(State& t, const int32_t timeout, const int ask)"));
}

std::string MoveWriter::guard(std::int32_t edge) {
    begin();
    ask_guard(edge);
    text_ += "  return YES;\n";
    return function(say("STEP int guard_", edge, "(const State& t, const int32_t timeout)"));
}

std::string MoveWriter::bind(std::int32_t edge) {
    begin();
    if (row(edge).bind >= 0) {
        for (std::int32_t i = 0; i < program_.message_cells; ++i) {
            text_ += say("  ", dialect_.scratch(program_.message_cell + i), " = f.f[", i, "];\n");
        }
        run(row(edge).bind);
    }
    text_ += "  return YES;\n";
    return function(say("STEP int bind_", edge, "(State& t, const Message& f)"));
}

std::string MoveWriter::effect(std::int32_t edge) {
    begin();
    text_ += "  const int32_t timeout = 0; (void)timeout;\n";
    run(row(edge).effect);
    text_ += "  return YES;\n";
    return function(say("STEP int effect_", edge, "(State& t)"));
}

std::string MoveWriter::go(std::int32_t edge) {
    begin();
    arrive(edge);
    text_ += "  return YES;\n";
    return function(say("STEP int go_", edge, "(State& t)"));
}

std::string MoveWriter::question(std::int32_t block, const std::string& name) {
    begin();
    text_ += say(blocks_.write(block, fresh("b")), "  return r;\n");
    return function(say("STEP int ", name, "(const State& t, const int32_t timeout)"));
}

std::string MoveWriter::trial(std::int32_t block, const std::string& name) {
    begin();
    text_ += "  const int32_t timeout = 0; (void)timeout;\n";
    run(block);
    text_ += "  return YES;\n";
    return function(say("STEP int ", name, "(State t)"));
}

std::string MoveWriter::provided(std::int32_t body) {
    return question(program_.bodies[at(body)].provided, say("provided_", body));
}

// A goal that has no value counts as reached, as does the end of what watches the run.
std::string MoveWriter::goal() {
    begin();
    text_ += "  const int32_t timeout = 0; (void)timeout;\n";
    if (ends_watched(program_)) {
        text_ += "  if (is_watched_to_the_end(t)) return YES;\n";
    }
    text_ += program_.goal < 0 ? "  return NO;\n" : say(blocks_.write(program_.goal, fresh("b")), "  return r;\n");
    return function("STEP int goal(const State& t)");
}

std::string MoveWriter::value(std::int32_t block, const std::string& name) {
    begin();
    text_ += "  const int32_t timeout = 0; (void)timeout;\n";
    text_ += say(blocks_.write(block, fresh("b")), "  return r < 0 ? 0 : smaller(larger(value, 0), DEAD_END - 1);\n");
    return function(say("STEP int32_t ", name, "(const State& t)"));
}

// Channels

// The channel's `number`, and its `place` among all that there may be, counted from one; what is wrong with it is
// reported by one of the functions that may ask.
void MoveWriter::find_channel(std::int32_t edge, bool reports) {
    if (plan(edge).channel >= 0) {
        text_ += say("  const int32_t number = ", plan(edge).channel + 1, ", place = number;\n");
        return;
    }
    const char* const failed = reports ? "FAILED" : "NO";
    text_ += say(blocks_.write(row(edge).channel_block, fresh("b")), "  if (r < 0) return r == LEFT ? LEFT : ", failed,
                 ";\n  const int32_t number = value, place = channel_at(t, number);\n  if (place == 0) return ", failed,
                 ";\n");
}

// `channel_at(t, number)`: as Machine::channel; the network's channels are numbered first, then those of each process.
std::string MoveWriter::channel_at() {
    begin();
    const std::int32_t first = program_.network_channels;
    text_ += say("  if (number >= 1 && number <= ", first, ") return number;\n");
    if (program_.has_owned_channels) {
        text_ += say("  int32_t before = ", first, ";\n");
        for (std::size_t i = 0; i < program_.processes.size(); ++i) {
            text_ += say("  if (number <= before || !", dialect_.is_live(i), ") return 0;\n");
            for (const Body& body : program_.bodies) {
                if (at(body.number) == i && body.channels > 0) {
                    text_ += say("  if (", dialect_.value(program_.processes[i].tag), " == ", body.kind + 1,
                                 ") {\n    switch (number - before) {\n");
                    for (std::int32_t j = 0; j < body.channels; ++j) {
                        const ChannelPlace& channel = program_.channels[at(body.first_channel + j)];
                        text_ += say("    case ", j + 1, ": return (uint32_t)", dialect_.value(channel.length),
                                     " <= ", channel.capacity, "u ? ", body.first_channel + j + 1, " : 0;\n");
                    }
                    text_ += say("    }\n    before += ", body.channels, ";\n  } else\n");
                }
            }
            text_ += "  {}\n";
        }
    }
    text_ += "  return 0;\n";
    return function("STEP int32_t channel_at(const State& t, const int32_t number)");
}

std::string MoveWriter::value_name(std::int32_t edge, std::int32_t i) const {
    const std::int32_t sources = plan(edge).first_source;
    return sources < 0 ? dialect_.value(row(edge).first_value + i)
                       : dialect_.value(program_.plan.sources[at(sources + i)]);
}

void MoveWriter::values(std::int32_t edge, const char* failed) {
    if (plan(edge).first_source < 0) {
        text_ += say(blocks_.write(row(edge).values_block, fresh("b")),
                     "  if (r < 0) return r == LEFT ? LEFT : ", failed, ";\n");
    }
}

// The fields of a message as they are stored, in f0, f1, and so on.
void MoveWriter::fields(std::int32_t edge, const ChannelPlace& channel, const char* failed) {
    values(edge, failed);
    if (row(edge).values < channel.fields) {
        text_ += say("  return ", failed, ";\n");
        return;
    }
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        const Domain& domain = program_.domains[at(program_.field_domains[at(channel.first_domain + i)])];
        const std::string name = say("f", i);
        text_ += say("  int32_t ", name, " = ", value_name(edge, i), "; if (", misfit(domain, name), ") return ",
                     failed, ";\n");
    }
}

PackedDialect::Cells MoveWriter::column(const ChannelPlace& channel, std::int32_t field) const {
    PackedDialect::Cells cells;
    for (std::int32_t i = 0; i < channel.capacity; ++i) {
        cells.push_back(channel.base + i * channel.fields + field);
    }
    return cells;
}

// As StepFinder::sending, to a channel that keeps messages.
void MoveWriter::send(std::int32_t edge, const ChannelPlace& channel) {
    text_ += say("  const int32_t count = ", dialect_.value(channel.length), ";\n");
    if ((program_.flags & kLossy) == 0) {
        text_ += say("  if (count >= ", channel.capacity, ") return NO;\n");
    }
    fields(edge, channel, "FAILED");
    text_ += "  if (ask) return YES;\n";
    if (row(edge).values < channel.fields) {
        return;
    }
    text_ += say("  if (count < ", channel.capacity, ") {\n");
    put_message(edge, channel);
    text_ += say("  ", dialect_.put(channel.length, "count + 1", kEscape), "\n  }\n");
}

void MoveWriter::put_message(std::int32_t edge, const ChannelPlace& channel) {
    if ((row(edge).flags & kSorted) == 0) {
        for (std::int32_t j = 0; j < channel.fields; ++j) {
            text_ += say("  ", dialect_.put_one_of(column(channel, j), "count", say("f", j), kEscape), "\n");
        }
        return;
    }
    // Before the first larger message, by the values as they were sent.
    text_ += "  int32_t position = count;\n";
    for (std::int32_t i = channel.capacity - 1; i >= 0; --i) {
        std::string larger = "0";
        for (std::int32_t j = channel.fields - 1; j >= 0; --j) {
            const std::string stored = dialect_.value(channel.base + i * channel.fields + j);
            const std::string sent = value_name(edge, j);
            larger = say("(", stored, " != ", sent, " ? ", stored, " > ", sent, " : ", larger, ")");
        }
        text_ += say("  if (", i, " < count && ", larger, ") position = ", i, ";\n");
    }
    for (std::int32_t i = channel.capacity - 1; i >= 0; --i) {
        for (std::int32_t j = 0; j < channel.fields; ++j) {
            const std::int32_t cell = channel.base + i * channel.fields + j;
            const std::string before = i > 0 ? dialect_.value(cell - channel.fields) : say("f", j);
            text_ += say("  if (", i, " <= count && ", i, " > position) { ", dialect_.put(cell, before, kEscape),
                         " } else if (", i, " == position) { ", dialect_.put(cell, say("f", j), kEscape), " }\n");
        }
    }
}

std::string MoveWriter::matches(std::int32_t edge, const ChannelPlace& channel, std::int32_t message) const {
    const auto& pattern = program_.pattern_lists[at(row(edge).patterns)];
    std::string all = "1";
    for (std::int32_t j = 0; j < std::min(static_cast<std::int32_t>(pattern.size()), channel.fields); ++j) {
        if (pattern[at(j)] != 0) {
            all +=
                say(" && ", dialect_.value(channel.base + message * channel.fields + j), " == ", value_name(edge, j));
        }
    }
    return all;
}

// As StepFinder::receiving.
void MoveWriter::receive(std::int32_t edge, const ChannelPlace& channel) {
    const bool anywhere = (row(edge).flags & kAnywhere) != 0;
    const bool keep = (row(edge).flags & kKeep) != 0;
    text_ += say("  const int32_t count = ", dialect_.value(channel.length), ";\n  if (count == 0) return NO;\n");
    values(edge, "FAILED");
    if (anywhere) {
        text_ += "  int32_t position = -1;\n";
        for (std::int32_t i = channel.capacity - 1; i >= 0; --i) {
            text_ += say("  if (", i, " < count && ", matches(edge, channel, i), ") position = ", i, ";\n");
        }
        text_ += "  if (position < 0) return NO;\n";
    } else {
        text_ += say("  if (!(", matches(edge, channel, 0), ")) return NO;\n");
    }
    if (row(edge).values < channel.fields && !keep) {
        text_ += "  return FAILED;\n";
    }
    text_ += "  if (ask) return YES;\n";
    for (std::int32_t j = 0; row(edge).bind >= 0 && j < channel.fields; ++j) {
        text_ +=
            say("  ", dialect_.scratch(program_.message_cell + j), " = ",
                anywhere ? dialect_.one_of(column(channel, j), "position") : dialect_.value(channel.base + j), ";\n");
    }
    if (!keep) {
        take_message(channel, anywhere);
        text_ += say("  ", dialect_.put(channel.length, "count - 1", kEscape), "\n");
    }
}

std::int32_t MoveWriter::empty_value(std::int32_t cell) const {
    return std::clamp(0, program_.low[at(cell)], program_.high[at(cell)]);
}

// Empty places have the value of fresh ones, so that all can move up whatever the number of messages is.
void MoveWriter::take_message(const ChannelPlace& channel, bool anywhere) {
    if (!anywhere && shift_down(channel)) {
        return;
    }
    for (std::int32_t i = 0; i < channel.capacity; ++i) {
        for (std::int32_t j = 0; j < channel.fields; ++j) {
            const std::int32_t cell = channel.base + i * channel.fields + j;
            const std::string next =
                i + 1 < channel.capacity ? dialect_.value(cell + channel.fields) : number(empty_value(cell));
            const std::string moved = dialect_.put(cell, next, kEscape);
            text_ += anywhere ? say("  if (", i, " >= position) { ", moved, " }\n") : say("  ", moved, "\n");
        }
    }
}

// Where all messages lie in one word, at equal distances and with nothing between them, they move by a shift.
bool MoveWriter::shift_down(const ChannelPlace& channel) {
    if (channel.capacity < 2 || channel.fields == 0) {
        return false;
    }
    const auto place = [&](std::int32_t i, std::int32_t j) -> const Packing& {
        return program_.packing[at(channel.base + i * channel.fields + j)];
    };
    const std::uint32_t first = place(0, 0).shift;
    const std::uint32_t distance = place(1, 0).shift - first;
    std::uint32_t bits = 0;
    std::uint32_t end = first;
    for (std::int32_t i = 0; i < channel.capacity; ++i) {
        for (std::int32_t j = 0; j < channel.fields; ++j) {
            const Packing& here = place(i, j);
            const Packing& start = place(0, j);
            const bool regular = here.mask != 0 && here.mask == start.mask && here.low == start.low &&
                                 here.word == place(0, 0).word && here.shift >= first &&
                                 here.shift == start.shift + static_cast<std::uint32_t>(i) * distance &&
                                 empty_value(here.cell) == here.low;
            if (!regular) {
                return false;
            }
            bits |= here.mask << here.shift;
            end = std::max(end, here.shift + static_cast<std::uint32_t>(__builtin_popcount(here.mask)));
        }
    }
    const std::uint32_t width = end - first;
    const std::uint32_t region = width == 32 ? ~0u : (1u << width) - 1;
    if (distance == 0 || distance >= 32 || bits != region << first ||
        width != distance * static_cast<std::uint32_t>(channel.capacity)) {
        return false;
    }
    text_ += say("  SHIFT_DOWN(", place(0, 0).word, ", ", first, ", ", region, "u, ", distance, ");\n");
    return true;
}

std::string MoveWriter::offer(std::int32_t edge) {
    begin();
    const bool reports = !may_buffer(edge); // otherwise `move` does
    ask_guard(edge, reports ? "r" : "r == LEFT ? LEFT : NO");
    find_channel(edge, reports);
    text_ += "  given = number; given_place = place;\n  switch (place) {\n";
    for (const std::int32_t i : channels_of(edge)) {
        const ChannelPlace& channel = program_.channels[at(i)];
        if (is_buffer(channel)) {
            continue;
        }
        text_ += say("  case ", i + 1, ": {\n");
        // Whether a message without a value matters depends on who waits for it: the engine knows.
        fields(edge, channel, channel.broadcast != 0 ? "FAILED" : "LEFT");
        for (std::int32_t j = 0; j < channel.fields && row(edge).values >= channel.fields; ++j) {
            text_ += say("  f.f[", j, "] = f", j, ";\n");
        }
        text_ += "  return YES; }\n";
    }
    text_ += "  default: return NO;\n  }\n";
    return function(say("STEP int offer_", edge,
                        "(const State& t, const int32_t timeout, Message& f, int32_t& given, int32_t& "
                        "given_place)"));
}

// As one turn of StepFinder::listening.
std::string MoveWriter::hear(std::int32_t edge) {
    begin();
    if (plan(edge).channel >= 0) {
        text_ += say("  if (number != ", plan(edge).channel + 1, ") return NO;\n");
        ask_guard(edge);
    } else {
        text_ += say("  int known = 1;\n", blocks_.write(row(edge).channel_block, fresh("b")),
                     "  if (r == LEFT) return LEFT;\n  known = r == YES; if (known && value != number) return NO;\n");
        ask_guard(edge);
        text_ += "  if (!known) return FAILED;\n";
    }
    values(edge, "FAILED");
    const auto& pattern = program_.pattern_lists[at(row(edge).patterns)];
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(pattern.size()) && j < program_.message_cells; ++j) {
        if (pattern[at(j)] != 0) {
            text_ += say("  if (", j, " < fields && f.f[", j, "] != ", value_name(edge, j), ") return NO;\n");
        }
    }
    if ((row(edge).flags & kKeep) == 0) {
        text_ += say("  if (fields > ", row(edge).values, ") return FAILED;\n");
    }
    text_ += "  return YES;\n";
    return function(say("STEP int hear_", edge,
                        "(const State& t, const int32_t timeout, const Message& f, const int32_t number, "
                        "const int32_t fields)"));
}

// Processes

// How many channels the network and the processes below a number have.
std::string MoveWriter::channels_before(std::size_t process) const {
    std::string text = say(program_.network_channels);
    for (const Body& body : program_.bodies) {
        if (at(body.number) < process && body.channels > 0) {
            text += say(" + (", dialect_.value(program_.processes[at(body.number)].tag), " == ", body.kind + 1, " ? ",
                        body.channels, " : 0)");
        }
    }
    return text;
}

// As Machine::start: the first free number. The engine decides what no number is left for.
std::string MoveWriter::start(std::int32_t kind, std::int32_t parameters) {
    begin();
    std::string head = say("RARE int start_", kind, "_", parameters, "(State& t");
    for (std::int32_t i = 0; i < parameters; ++i) {
        head += say(", const int32_t p", i);
    }
    text_ += "  const int32_t timeout = 0; (void)timeout;\n";
    for (std::size_t number = 0; number < program_.processes.size(); ++number) {
        text_ += say("  if (!", dialect_.is_live(number), ") {\n");
        const std::int32_t index = program_.body_of[number][at(kind) + 1];
        if (index < 0 || program_.bodies[at(index)].parameters != parameters) {
            text_ += "  return LEFT; }\n";
            continue;
        }
        const Body& body = program_.bodies[at(index)];
        const ProcessPlace& place = program_.processes[number];
        text_ += say("  ", dialect_.put(place.tag, say(kind + 1), kEscape), "\n  ",
                     dialect_.put(place.location, say(body.initial_location), kEscape), "\n");
        for (std::int32_t i = 0; i < body.locals_count; ++i) {
            const auto& initial = program_.initial_cells[at(body.first_initial + i)];
            text_ += say("  ", dialect_.put(initial[0], beeline::number(initial[1]), kEscape), "\n");
        }
        for (std::int32_t i = 0; i < parameters; ++i) {
            const Domain& domain = program_.domains[at(program_.parameter_domains[at(body.first_parameter + i)])];
            text_ += say("  { int32_t v = p", i, "; if (", misfit(domain, "v"), ") return FAILED; if (v < ",
                         beeline::number(program_.low[at(body.locals + i)]), " || v > ",
                         beeline::number(program_.high[at(body.locals + i)]), ") return FAILED; ",
                         dialect_.put(body.locals + i, "v", kEscape), " }\n");
        }
        for (std::int32_t i = 0; i < body.channels; ++i) { // their numbers are its last locals
            const std::int32_t cell = body.locals + body.locals_count - body.channels + i;
            text_ += say("  { const int32_t v = ", channels_before(number), " + ", i + 1, "; if (v > ",
                         program_.high[at(cell)], ") return FAILED; ", dialect_.put(cell, "v", kEscape), " }\n");
        }
        run(body.setup);
        text_ += say("  return ", number, "; }\n");
    }
    text_ += "  return LEFT;\n";
    return function(head + ")");
}

} // namespace beeline
