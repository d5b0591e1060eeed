#include "jit/step_writer.hpp"

#include "vm/at.hpp"

#include <algorithm>

namespace beeline {

namespace {

bool is_channelled(const EdgeRow& edge) { return edge.is(Sync::Send) || edge.is(Sync::Receive); }

} // namespace

std::int32_t target_of(const Program& program, const Body& body, const EdgeRow& edge) {
    const bool ends = (edge.flags & kTerminates) != 0;
    return ends ? static_cast<std::int32_t>(program.locations.size()) : body.first_location + edge.target;
}

bool has_one_value(const Program& program, std::int32_t cell) {
    return program.low[at(cell)] == program.high[at(cell)];
}

bool keeps_control(const Program& program, const EdgeRow& edge) {
    return program.control >= 0 && (edge.flags & kKeepsControl) != 0 && (edge.flags & kTerminates) == 0;
}

void StepWriter::begin() {
    names_given_ = 0;
    text_ =
        "  int32_t* m = x->cells; int any = 0, r = 1; int32_t value = 0; (void)any; (void)value; (void)r; (void)m;\n";
}

std::string StepWriter::steps(std::int32_t location) {
    const LocationPlan& here = program_.plan.locations[at(location)];
    begin();
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        // Edges stand in order of rank; once one of a rank is possible, higher ranks are not.
        if (i > here.first_edge && plan(i).rank != plan(i - 1).rank) {
            text_ += "  if (any) return 1;\n";
        }
        edge(i, Mode::Steps);
    }
    return text_ + "  return any;\n";
}

std::string StepWriter::straight(std::int32_t location) {
    const LocationPlan& here = program_.plan.locations[at(location)];
    begin();
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        edge(i, Mode::Straight);
    }
    return text_ + "  x->error = BLOCKED; return -1;\n";
}

std::string StepWriter::listening(std::int32_t location) {
    const LocationPlan& here = program_.plan.locations[at(location)];
    begin();
    text_ += "  int known = 1; int32_t rank = 0;\n";
    if (body_.provided >= 0) {
        text_ += blocks_.write(body_.provided, fresh("b")) + "  if (r != 1) return 0;\n";
    }
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        if (row(i).is(Sync::Receive) && may_shake(i) && !plan(i).never) {
            listen(i);
        }
    }
    return text_ + "  return any;\n";
}

std::string StepWriter::provided() {
    begin();
    return text_ + blocks_.write(body_.provided, fresh("b")) + "  return r;\n";
}

std::string StepWriter::goal() {
    begin();
    return text_ + blocks_.write(program_.goal, fresh("b")) + "  return r != 0;\n";
}

std::string StepWriter::bind(std::int32_t edge) {
    begin();
    run(row(edge).bind);
    return text_ + "  return 1;\n";
}

std::string StepWriter::effect(std::int32_t edge) {
    begin();
    run(row(edge).effect);
    return text_ + "  return 1;\n";
}

// A block in a function that ends where it fails.
void StepWriter::run(std::int32_t block) { text_ += blocks_.write(block, fresh("b")) + "  if (r < 0) return -1;\n"; }

bool StepWriter::may_shake(std::int32_t edge) const {
    const auto is_handshake = [](const ChannelPlace& c) { return c.capacity == 0 && c.broadcast == 0; };
    if (!is_channelled(row(edge))) {
        return false;
    }
    const std::int32_t channel = plan(edge).channel;
    return channel >= 0 ? is_handshake(program_.channels[at(channel)])
                        : std::any_of(program_.channels.begin(), program_.channels.end(), is_handshake);
}

bool StepWriter::listens(std::int32_t location) const {
    const LocationPlan& here = program_.plan.locations[at(location)];
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        if (row(i).is(Sync::Receive) && may_shake(i) && !plan(i).never) {
            return true;
        }
    }
    return false;
}

// What must hold for the edge to be looked at: its gate, and its guard if that consists of tests.
std::string StepWriter::condition(std::int32_t index) const {
    return say(test(program_.plan.gates[at(index)].test), " && ", guard_tests(index));
}

std::string StepWriter::guard_tests(std::int32_t index) const {
    std::string all = "1";
    for (std::int32_t i = 0; plan(index).guard < 0 && i < plan(index).tests; ++i) {
        all += say(" && ", test(program_.plan.tests[at(plan(index).first_test + i)]));
    }
    return all;
}

void StepWriter::edge(std::int32_t index, Mode mode) {
    if (program_.plan.gates[at(index)].test.accepted == 0 || plan(index).never) {
        return;
    }
    done_ = fresh("done");
    failed_ = fresh("failed");
    unsent_.clear();
    text_ += say("  if (", (row(index).flags & kOtherwise) != 0 ? "!any && " : "", condition(index), ") {\n");
    guard(index);
    if (mode == Mode::Steps && is_left_to_engine(index)) {
        text_ += say("  any |= synchronise(x, ", mark(index), "); goto ", done_, ";\n");
    } else {
        taking(index, mode);
    }
    if (!unsent_.empty()) {
        text_ += say("  goto ", done_, ";\n  ", unsent_, ":;\n",
                     mode == Mode::Steps ? say("  any |= synchronise(x, ", mark(index), ");") : "  x->leave(x->space);",
                     " goto ", done_, ";\n");
    }
    text_ += say("  ", failed_, ":;\n");
    text_ += mode == Mode::Straight ? "  return -1;\n" : say("  undo(x); fail(x, ", mark(index), "); any = 1;\n");
    text_ += say("  ", done_, ":;\n  }\n");
}

// What the conditions do not say.
void StepWriter::guard(std::int32_t index) {
    if (plan(index).guard >= 0) {
        text_ += say(blocks_.write(plan(index).guard, fresh("b")), "  if (r == 0) goto ", done_, "; if (r < 0) goto ",
                     failed_, ";\n");
    }
    if (plan(index).terminates) {
        text_ += say("  if (!is_highest(x)) goto ", done_, ";\n");
    }
}

bool StepWriter::is_left_to_engine(std::int32_t index) const {
    const std::int32_t channel = plan(index).channel;
    const bool fixed = channel >= 0;
    const auto is_broadcast = [](const ChannelPlace& c) { return c.broadcast != 0; };
    const bool broadcast = is_channelled(row(index)) &&
                           (fixed ? is_broadcast(program_.channels[at(channel)])
                                  : std::any_of(program_.channels.begin(), program_.channels.end(), is_broadcast));
    const bool goal = program_.goal >= 0 && (may_shake(index) || (!plan(index).direct && !ends_at_once(index)));
    return row(index).is(Sync::Together) || broadcast || goal;
}

// The edge's guard holds.
void StepWriter::taking(std::int32_t index, Mode mode) {
    if (is_left_to_engine(index)) {
        text_ += "  x->leave(x->space);\n";
        return;
    }
    if (row(index).is(Sync::Send)) {
        send(index);
        if (may_shake(index)) {
            const char* const offer = mode == Mode::Straight ? "x->leave(x->space);" : "any |= offer(x, ";
            text_ += say("  if (c->capacity == 0) { ",
                         program_.control >= 0 && mode == Mode::Steps
                             ? say("if (!x->in_place) { any |= synchronise(x, ", mark(index), "); goto ", done_, "; } ")
                             : "",
                         offer, mode == Mode::Straight ? "" : say(mark(index), ", c, number, f);"), " goto ", done_,
                         "; }\n");
        }
        text_ += (row(index).flags & kSorted) != 0 ? "  const int32_t position = insertion_point(x, c, sent);\n"
                                                   : "  const int32_t position = m[c->length];\n";
    } else if (row(index).is(Sync::Receive)) {
        receive(index);
    }
    take(index, mode);
}

void StepWriter::find_channel(std::int32_t index) {
    if (plan(index).channel >= 0) {
        text_ += say("  const int32_t number = ", mark(row(index).channel),
                     "; const struct channel* const c = channels + number - 1; (void)number;\n");
        return;
    }
    text_ +=
        say(blocks_.write(row(index).channel_block, fresh("b")), "  if (r < 0) goto ", failed_,
            ";\n  const int32_t number = value; const struct channel* const c = find_channel(x, number);\n  if (!c) "
            "goto ",
            failed_, ";\n");
}

// Computes what the edge sends or compares.
void StepWriter::values(std::int32_t index) {
    if (plan(index).first_source < 0) {
        text_ += say(blocks_.write(row(index).values_block, fresh("b")), "  if (r < 0) goto ", failed_, ";\n");
    }
}

std::string StepWriter::value_name(std::int32_t index, std::int32_t i) const {
    const std::int32_t sources = plan(index).first_source;
    return sources < 0 ? cell_at(row(index).first_value + i) : dialect_.value(program_.plan.sources[at(sources + i)]);
}

// As StepFinder::sending: the channel, and the fields of the message.
void StepWriter::send(std::int32_t index) {
    find_channel(index);
    if ((program_.flags & kLossy) == 0) {
        text_ += say("  if (c->capacity > 0 && m[c->length] >= c->capacity) goto ", done_, ";\n");
    }
    const std::string failed = failed_;
    if (may_shake(index) && (program_.flags & kEagerSends) == 0) {
        failed_ = unsent_ = fresh("unsent"); // whether that matters, the engine knows
    }
    values(index);
    fields(index, "c->fields");
    std::string all;
    for (std::int32_t i = 0; i < std::min(row(index).values, program_.message_cells); ++i) {
        all += say(value_name(index, i), ", ");
    }
    text_ += say("  int32_t f[MESSAGE_CELLS] = {", all, "0};\n");
    if ((row(index).flags & kSorted) != 0) {
        text_ += "  int32_t sent[MESSAGE_CELLS]; memcpy(sent, f, sizeof sent);\n";
    }
    text_ += say("  if (!fits_fields(x, c, f)) goto ", failed_, ";\n");
    failed_ = failed;
}

// Whether the fields of a message are those that an edge wants.
std::string StepWriter::matches(std::int32_t index, const std::string& message) const {
    const auto& pattern = program_.pattern_lists[at(row(index).patterns)];
    std::string all = "1";
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(pattern.size()); ++i) {
        if (pattern[at(i)] != 0) {
            all += say(" && (", i, " >= fields || ", message, "[", i, "] == ", value_name(index, i), ")");
        }
    }
    return all;
}

// As StepFinder::receiving.
void StepWriter::receive(std::int32_t index) {
    find_channel(index);
    text_ += say("  const int32_t count = m[c->length], fields = c->fields; int32_t position = 0; (void)fields;\n"
                 "  if (count == 0) goto ",
                 done_, ";\n");
    values(index);
    const std::string same = matches(index, "(m + c->base + position * fields)");
    if ((row(index).flags & kAnywhere) != 0) {
        text_ += say("  while (position < count && !(", same, ")) ++position;\n  if (position == count) goto ", done_,
                     ";\n");
    } else {
        text_ += say("  if (!(", same, ")) goto ", done_, ";\n");
    }
    fields(index, "fields");
}

// A message must be sent and taken whole, but some of it can be looked at.
void StepWriter::fields(std::int32_t index, const char* count) {
    if ((row(index).flags & kKeep) == 0) {
        text_ += say("  if (", count, " > ", row(index).values, ") { x->error = NO_CHANNEL; goto ", failed_, "; }\n");
    }
}

// As one turn of StepFinder::listening.
void StepWriter::listen(std::int32_t index) {
    done_ = fresh("done");
    failed_ = fresh("failed");
    text_ += say("  if (any && rank != ", row(index).rank,
                 ") return any;\n  {\n  const int32_t fields = x->fields; "
                 "(void)fields;\n");
    if (plan(index).channel >= 0) {
        text_ += say("  if (x->number != ", mark(row(index).channel), ") goto ", done_, ";\n");
    } else {
        text_ += say(blocks_.write(row(index).channel_block, fresh("b")),
                     "  known = r == 1; if (known && value != x->number) goto ", done_, ";\n");
    }
    text_ += say("  if (!(", guard_tests(index), ")) goto ", done_, ";\n");
    guard(index);
    text_ += say("  if (!known) goto ", failed_, ";\n");
    values(index);
    text_ += say("  if (", matches(index, "x->message"), ") {\n");
    fields(index, "fields");
    text_ += say("  if (!any) rank = ", row(index).rank, "; x->found[any++] = ", mark(index), "; }\n  goto ", done_,
                 ";\n  ", failed_, ":; return -1;\n  ", done_, ":;\n  }\n");
}

void StepWriter::take(std::int32_t index, Mode mode) {
    if (mode == Mode::Steps && plan(index).direct) {
        write_direct(index);
    } else {
        perform(index, mode);
    }
}

// The target's words, from the values that the cells have.
void StepWriter::write_direct(std::int32_t index) {
    text_ += "  uint32_t* t = room(x); uint64_t s = x->sum; copy_words(x, t, x->base);\n";
    transfer(index, "t, &s");
    assign(plan(index).bind.first, plan(index).bind.count);
    if (!is_constant(plan(index).location)) {
        text_ += say("  put(x, t, &s, ", mark(plan(index).location), ", ", mark(plan(index).target), ");\n");
    }
    assign(plan(index).effect.first, plan(index).effect.count);
    text_ += say("  finish(x, t, &s); add_arc(x, ", mark(index), ", 0, s); any = 1; goto ", done_, ";\n");
}

// The step in the cells.
void StepWriter::perform(std::int32_t index, Mode mode) {
    const EdgeRow& edge = row(index);
    const std::int32_t target = target_of(program_, body_, edge);
    const bool ends = plan(index).terminates;
    if (mode == Mode::Steps && program_.control >= 0) {
        text_ += say("  if (!x->in_place) { any |= synchronise(x, ", mark(index), "); goto ", done_, "; }\n");
    }
    transfer(index, "0, 0");
    for (const std::int32_t block : {edge.is(Sync::Receive) ? edge.bind : -1, edge.effect}) {
        if (block >= 0) {
            text_ += say(blocks_.write(block, fresh("b")), "  if (r < 0) goto ", failed_, ";\n");
        }
    }
    if (!is_constant(plan(index).location)) {
        text_ += say("  set(x, ", mark(plan(index).location), ", ", mark(plan(index).target), ");\n");
    }
    if (ends) {
        text_ += say("  if (!end_process(x, x->pid)) goto ", failed_, ";\n");
    }
    const int keeps = keeps_control(program_, edge) ? 1 : 0;
    if (mode == Mode::Straight) {
        text_ += say("  x->keeps = ", keeps, "; return ", mark(target), ";\n");
        return;
    }
    if (ends_at_once(index)) {
        text_ += say("  arrive(x, ", mark(index), "); any = 1; goto ", done_, ";\n");
        return;
    }
    text_ += say("  { int32_t location = ", mark(target), "; int keeps = ", keeps, ";\n");
    if (plan(index).straight) {
        text_ += say("  if (!run_straight(x, &location, &keeps)) goto ", failed_, ";\n");
    }
    text_ += say("  settle(x, ", mark(index), ", 0, keeps, location); }\n  undo(x); any = 1; goto ", done_, ";\n");
}

// What an edge does to a buffered channel.
void StepWriter::transfer(std::int32_t index, const char* target) {
    if (row(index).is(Sync::Send)) {
        text_ += say("  put_message(x, ", target, ", c, f, position);\n");
    } else if (row(index).is(Sync::Receive)) {
        text_ += say("  take_message(x, ", target, ", c, position, ", (row(index).flags & kKeep) != 0 ? 1 : 0, ");\n");
    }
}

void StepWriter::assign(std::int32_t first, std::int32_t count) {
    for (std::int32_t i = first; i < first + count; ++i) {
        assignment(program_.plan.assignments[at(i)]);
    }
}

// As StepTaker::assign.
void StepWriter::assignment(const Assignment& next) {
    const auto fail = [&](Error error) {
        return say("{ x->error = ", static_cast<int>(error), "; goto ", failed_, "; }");
    };
    if (next.compute >= 0) {
        text_ += say(blocks_.write(next.compute, fresh("b")), "  if (r < 0) goto ", failed_, ";\n");
    }
    if (next.cell < 0) {
        return;
    }
    std::string cell = mark(next.cell);
    if (next.extent != 0) {
        const std::string offset = dialect_.value(next.index);
        text_ += say("  if ((uint32_t)", offset, " >= ", next.extent, "u) ", fail(Error::Index), "\n");
        cell += say(" + ", offset);
    }
    text_ += say("  { int32_t v = (int32_t)((uint32_t)", dialect_.value(next.left), next.sign == 0 ? " + " : " - ",
                 "(uint32_t)", dialect_.value(next.right), ");\n  if (UNLIKELY((uint32_t)v - (uint32_t)",
                 number(next.low), " > ", next.span, "u)) { if (", misfit(program_.domains[at(next.domain)], "v"),
                 " || !fits_cell(", cell, ", v)) ", fail(Error::Range), " }\n  put(x, t, &s, ", cell, ", v); }\n");
}

} // namespace beeline
