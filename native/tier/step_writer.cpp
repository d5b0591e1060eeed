#include "tier/step_writer.hpp"

#include <algorithm>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

std::string code_of(Error error) { return std::to_string(static_cast<int>(error)); }

} // namespace

void StepWriter::write(std::int32_t location) {
    const LocationPlan& here = program_.plan.locations[at(location)];
    text_ += "static int steps" + std::to_string(location) +
             "(struct context* x) {\n  int32_t* restrict m = x->cells; const uint32_t* restrict o = x->origin;\n"
             "  int any = 0, r; int32_t value, error; (void)r; (void)value; (void)error; (void)m; (void)o;\n";
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        // Edges stand in order of rank; once one of a rank is possible, higher ranks are not.
        if (i > here.first_edge && program_.plan.gates[at(i)].rank != program_.plan.gates[at(i - 1)].rank) {
            text_ += "  if (any) return 1;\n";
        }
        edge(i);
    }
    text_ += "  return any;\n}\n";
}

std::string StepWriter::failing(std::int32_t index, const std::string& error) const {
    return "{ x->fail(x->space, " + std::to_string(index) + ", " + error + "); any = 1; goto done" +
           std::to_string(index) + "; }";
}

std::string StepWriter::test(const Test& test) const {
    static const char* const signs[] = {nullptr, "<", "==", "<=", ">", "!=", ">=", nullptr};
    if (test.accepted == 0 || test.accepted >= 7) {
        return test.accepted == 0 ? "0" : "1";
    }
    return names_.stored(test.left) + " " + signs[test.accepted] + " " + names_.stored(test.right);
}

// What must hold for the edge to be looked at: its gate, and its guard if that consists of tests.
std::string StepWriter::condition(const EdgePlan& plan) const {
    std::string all = test(program_.plan.gates[at(static_cast<std::int32_t>(&plan - program_.plan.edges.data()))].test);
    for (std::int32_t i = 0; plan.guard < 0 && i < plan.tests; ++i) {
        all += " && " + test(program_.plan.tests[at(plan.first_test + i)]);
    }
    return plan.never ? "0" : all;
}

void StepWriter::edge(std::int32_t index) {
    const EdgePlan& plan = program_.plan.edges[at(index)];
    if (program_.plan.gates[at(index)].test.accepted == 0 || plan.never) {
        return;
    }
    text_ += "  if (" + condition(plan) + ") {\n";
    if (plan.terminates || (plan.guard >= 0 && !blocks_.write(plan.guard))) {
        text_ += "    r = x->guard(x->space, x->pid, " + std::to_string(index) + ");\n    if (r == 0) goto done" +
                 std::to_string(index) + ";\n    if (r < 0) " + failing(index, "-1") + "\n";
    } else if (plan.guard >= 0) {
        text_ += "    r = block" + std::to_string(plan.guard) + "(m, &value, &error);\n    if (r == 0) goto done" +
                 std::to_string(index) + ";\n    if (r < 0) " + failing(index, "error") + "\n";
    }
    body(index);
    text_ += "    done" + std::to_string(index) + ":;\n  }\n";
}

// The edge's guard holds.
void StepWriter::body(std::int32_t index) {
    const EdgePlan& plan = program_.plan.edges[at(index)];
    if (plan.direct && plan.sync == static_cast<std::int32_t>(Sync::None) && has_effect(plan)) {
        target(index, nullptr);
    } else if (is_sending(index)) {
        send(index);
    } else if (is_receiving(index)) {
        receive(index);
    } else {
        text_ += "    any |= x->synchronise(x->space, x->pid, " + std::to_string(index) + ");\n";
    }
}

bool StepWriter::has_blocks(std::int32_t first, std::int32_t count) {
    for (std::int32_t i = first; i < first + count; ++i) {
        const std::int32_t compute = program_.plan.assignments[at(i)].compute;
        if (compute >= 0 && !blocks_.write(compute)) {
            return false;
        }
    }
    return true;
}

bool StepWriter::has_effect(const EdgePlan& plan) { return has_blocks(plan.first_change, plan.changes); }

bool StepWriter::has_values(std::int32_t index) {
    const EdgePlan& plan = program_.plan.edges[at(index)];
    return plan.direct && plan.channel >= 0 && program_.channels[at(plan.channel)].capacity > 0 &&
           program_.channels[at(plan.channel)].broadcast == 0 && has_effect(plan) &&
           (plan.first_source >= 0 || blocks_.write(program_.edges[at(index)].values_block));
}

bool StepWriter::is_sending(std::int32_t index) {
    const EdgeRow& edge = program_.edges[at(index)];
    return edge.is(Sync::Send) && (edge.flags & kSorted) == 0 && (program_.flags & kLossy) == 0 && has_values(index);
}

bool StepWriter::is_receiving(std::int32_t index) {
    const EffectPlan& bind = program_.plan.edges[at(index)].bind;
    return program_.edges[at(index)].is(Sync::Receive) && has_values(index) && has_blocks(bind.first, bind.count);
}

// Computes what the edge sends or compares.
void StepWriter::values(std::int32_t index) {
    const EdgeRow& edge = program_.edges[at(index)];
    if (program_.plan.edges[at(index)].first_source < 0) {
        text_ += "    if (block" + std::to_string(edge.values_block) + "(m, &value, &error) < 0) " +
                 failing(index, "error") + "\n";
    }
}

std::string StepWriter::value_name(std::int32_t index, std::int32_t i) const {
    const EdgeRow& edge = program_.edges[at(index)];
    const std::int32_t sources = program_.plan.edges[at(index)].first_source;
    if (i >= edge.values) {
        return "(0)";
    }
    return sources < 0 ? names_.value(edge.first_value + i) : names_.stored(program_.plan.sources[at(sources + i)]);
}

// As ProgramSpace::sending.
void StepWriter::send(std::int32_t index) {
    const ChannelPlace& channel = program_.channels[at(program_.plan.edges[at(index)].channel)];
    values(index);
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        const Domain& domain = program_.domains[at(program_.field_domains[at(channel.first_domain + i)])];
        const std::string name = say("f", i);
        text_ += "    int32_t " + name + " = " + value_name(index, i) + "; if (" + misfit(domain, name) + ") " +
                 failing(index, code_of(Error::Range)) + "\n";
    }
    text_ += "    int32_t count = m[" + std::to_string(channel.length) +
             "]; if (count >= " + std::to_string(channel.capacity) + ") goto done" + std::to_string(index) + ";\n";
    target(index, &StepWriter::put_message);
}

void StepWriter::put_message(std::int32_t index, WordWriter& words) {
    const ChannelPlace& channel = program_.channels[at(program_.plan.edges[at(index)].channel)];
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        const std::string name = say("f", i);
        if (channel.capacity == 1) {
            words.put(channel.base + i, name);
        } else {
            words.put_at(std::to_string(channel.base + i) + " + count * " + std::to_string(channel.fields), name);
        }
    }
    words.put(channel.length, "count + 1");
}

// As ProgramSpace::receiving.
void StepWriter::receive(std::int32_t index) {
    const EdgeRow& edge = program_.edges[at(index)];
    const ChannelPlace& channel = program_.channels[at(program_.plan.edges[at(index)].channel)];
    const std::string done = "goto done" + std::to_string(index) + ";";
    text_ += "    int32_t count = m[" + std::to_string(channel.length) + "], place = 0; if (count == 0) " + done + "\n";
    values(index);
    const auto& pattern = program_.pattern_lists[at(edge.patterns)];
    std::string same = "1";
    for (std::int32_t i = 0; i < std::min(static_cast<std::int32_t>(pattern.size()), channel.fields); ++i) {
        if (pattern[at(i)] != 0) {
            same += " && m[" + std::to_string(channel.base + i) + " + place] == " + value_name(index, i);
        }
    }
    if ((edge.flags & kAnywhere) != 0) {
        const std::string fields = std::to_string(channel.fields);
        text_ += "    while (place < count * " + fields + " && !(" + same + ")) place += " + fields +
                 ";\n    if (place == count * " + fields + ") " + done + "\n";
    } else if (same != "1") {
        text_ += "    if (!(" + same + ")) " + done + "\n";
    }
    target(index, &StepWriter::take_message);
}

void StepWriter::take_message(std::int32_t index, WordWriter& words) {
    const ChannelPlace& channel = program_.channels[at(program_.plan.edges[at(index)].channel)];
    if ((program_.edges[at(index)].flags & kKeep) == 0) {
        remove_message(channel, words);
    }
    const EffectPlan& bind = program_.plan.edges[at(index)].bind;
    if (bind.block < 0) {
        return;
    }
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        text_ += "    m[" + std::to_string(program_.message_cell + i) + "] = m[" + std::to_string(channel.base + i) +
                 " + place];\n";
    }
    assign(index, bind.first, bind.count, words);
}

// An empty place holds what a fresh one does, so that equal states have equal words.
void StepWriter::remove_message(const ChannelPlace& channel, WordWriter& words) {
    const auto empty = [&](std::int32_t cell) {
        return std::clamp(0, program_.low[at(cell)], program_.high[at(cell)]);
    };
    if (channel.capacity == 1) {
        for (std::int32_t i = 0; i < channel.fields; ++i) {
            words.put(channel.base + i, number(empty(channel.base + i)));
        }
    } else {
        words.flush();
        text_ += "    s += remove_message(x, t, " + std::to_string(channel.base) + ", count, " +
                 std::to_string(channel.fields) + ", place);\n";
    }
    words.put(channel.length, "count - 1");
}

// Writes the arc: first what `transfer` does, then the constants, then the rest of the effect.
void StepWriter::target(std::int32_t index, void (StepWriter::*transfer)(std::int32_t index, WordWriter& words)) {
    const EdgePlan& plan = program_.plan.edges[at(index)];
    text_ += "    uint32_t* restrict t = room(x); uint64_t s = x->sum; copy_words(t, o);\n";
    WordWriter words(program_, text_);
    if (transfer != nullptr) {
        (this->*transfer)(index, words);
    }
    for (const Patch* patch = program_.plan.patches.data() + plan.first_patch;
         patch != program_.plan.patches.data() + plan.first_patch + plan.patches; ++patch) {
        words.patch(*patch);
    }
    assign(index, plan.first_change, plan.changes, words);
    afterthoughts(words);
    words.flush();
    text_ += "    add_arc(x, " + std::to_string(index) + ", s); any = 1;\n";
}

void StepWriter::assign(std::int32_t index, std::int32_t first, std::int32_t count, WordWriter& words) {
    for (std::int32_t i = first; i < first + count; ++i) {
        assignment(index, program_.plan.assignments[at(i)], words);
    }
}

// As ProgramSpace::assign.
void StepWriter::assignment(std::int32_t index, const Assignment& next, WordWriter& words) {
    if (next.compute >= 0) {
        text_ += "    if (block" + std::to_string(next.compute) + "(m, &value, &error) < 0) " +
                 failing(index, "error") + "\n";
    }
    if (next.cell < 0) {
        return;
    }
    const std::string cell = say("c", assigned_++);
    const std::string stored = say("value_of_", cell);
    if (next.extent != 0) {
        const std::string offset = names_.value(next.index);
        text_ += "    if ((uint32_t)" + offset + " >= " + std::to_string(next.extent) + "u) " +
                 failing(index, code_of(Error::Index)) + "\n    int32_t " + cell + " = " + std::to_string(next.cell) +
                 " + " + offset + ";\n";
    }
    text_ += "    int32_t " + stored + " = (int32_t)((uint32_t)" + names_.value(next.left) +
             (next.sign == 0 ? " + " : " - ") + "(uint32_t)" + names_.value(next.right) +
             ");\n    if (UNLIKELY((uint32_t)" + stored + " - (uint32_t)" + number(next.low) + " > " +
             std::to_string(next.span) + "u)) { if (" + misfit(program_.domains[at(next.domain)], stored) + " || " +
             out_of_cell(next, cell, stored) + ") " + failing(index, code_of(Error::Range)) + " }\n";
    if (next.extent != 0) {
        words.put_at(cell, stored);
    } else {
        words.put(next.cell, stored);
    }
}

// Whether a value that the domain made fit is out of its cell's bounds: never, unless the program is malformed.
std::string StepWriter::out_of_cell(const Assignment& next, const std::string& cell, const std::string& stored) const {
    if (next.extent != 0) {
        return stored + " < lowest[" + cell + "] || " + stored + " > highest[" + cell + "]";
    }
    return stored + " < " + number(program_.low[at(next.cell)]) + " || " + stored + " > " +
           number(program_.high[at(next.cell)]);
}

// What is written after every step whatever its edge is.
void StepWriter::afterthoughts(WordWriter& words) {
    if (program_.last >= 0) {
        words.put(program_.last, "x->pid");
    }
    for (const auto& row : program_.hidden) {
        words.put(row[0], number(row[1]));
    }
}

} // namespace beeline
