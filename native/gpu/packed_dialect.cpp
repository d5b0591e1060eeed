#include "gpu/packed_dialect.hpp"

#include <algorithm>

namespace beeline {

namespace {

constexpr std::size_t at_index(std::int32_t index) { return static_cast<std::size_t>(index); }

std::string unsigned_number(std::uint32_t value) { return say(value, "u"); }

bool is_same_kind(const Packing& a, const Packing& b) { return a.word == b.word && a.mask == b.mask && a.low == b.low; }

} // namespace

// Reading

std::string PackedDialect::read(const Packing& place, const std::string& more) const {
    if (place.mask == 0) {
        return number(place.low);
    }
    return say("CELL(", place.word, ", ", place.shift, more, ", ", unsigned_number(place.mask), ", ",
               unsigned_number(static_cast<std::uint32_t>(place.low)), ")");
}

std::string PackedDialect::value(std::int32_t cell) const {
    if (const auto known = names_.constant(cell)) {
        return number(*known);
    }
    return cell < program_.state_cells ? read(program_.packing[at_index(cell)], "") : scratch(cell);
}

std::string PackedDialect::scratch(std::int32_t cell) const {
    if (cell == program_.timeout_cell) {
        return "timeout";
    }
    named_.insert(cell);
    return say("m", cell);
}

std::string PackedDialect::element(std::int32_t first, std::int32_t extent, const std::string& index) const {
    if (first < program_.state_cells) {
        Cells cells;
        for (std::int32_t i = 0; i < extent; ++i) {
            cells.push_back(first + i);
        }
        return one_of(cells, index);
    }
    std::string text = value(first + extent - 1);
    for (std::int32_t i = extent - 2; i >= 0; --i) {
        text = say("(", index, " == ", i, " ? ", value(first + i), " : ", text, ")");
    }
    return text;
}

std::vector<PackedDialect::Stretch> PackedDialect::stretches_of(const Cells& cells) const {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Packing& place = program_.packing[at_index(cells[i])];
        if (!all.empty() && is_same_kind(all.back().place, place)) {
            Stretch& last = all.back();
            const std::uint32_t distance = place.shift - last.place.shift;
            if (last.count == 1 && place.shift >= last.place.shift) {
                last.distance = distance;
            }
            if (place.mask == 0 || distance == last.distance * static_cast<std::uint32_t>(last.count)) {
                ++last.count;
                continue;
            }
        }
        all.push_back({static_cast<std::int32_t>(i), 1, place, 0});
    }
    return all;
}

std::string PackedDialect::one_of(const Cells& cells, const std::string& index) const {
    const std::vector<Stretch> all = stretches_of(cells);
    const auto is_fixed = [](const Stretch& one) { return one.place.mask == 0; };
    if (all.size() > 4 && std::all_of(all.begin(), all.end(), is_fixed)) {
        std::vector<std::int32_t> values;
        for (const std::int32_t cell : cells) {
            values.push_back(program_.packing[at_index(cell)].low);
        }
        return say(table_of(values), "[", index, "]");
    }
    std::string text;
    for (std::size_t i = all.size(); i-- > 0;) {
        const Stretch& one = all[i];
        const std::string more = one.count > 1 ? say(" + ", one.distance, " * (", index, " - ", one.first, ")") : "";
        const std::string value = read(one.place, more);
        text = text.empty() ? value : say("(", index, " < ", one.first + one.count, " ? ", value, " : ", text, ")");
    }
    return text;
}

std::string PackedDialect::is_among(const std::vector<std::uint8_t>& members, const std::string& location) const {
    std::vector<std::int32_t> found;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] != 0) {
            found.push_back(static_cast<std::int32_t>(i));
            bits |= i < 64 ? std::uint64_t{1} << i : 0;
        }
    }
    if (found.empty()) {
        return "0";
    }
    if (found.size() == 1) {
        return say("(", location, " == ", found[0], ")");
    }
    if (found.back() < 64) {
        return say("((uint32_t)", location, " < 64u && (", bits, "ull >> ", location, " & 1u) != 0)");
    }
    const std::vector<std::int32_t> all(members.begin(), members.end());
    return say("((uint32_t)", location, " < ", all.size(), "u && ", table_of(all), "[", location, "] != 0)");
}

std::string PackedDialect::table_of(const std::vector<std::int32_t>& values) const {
    std::string text;
    for (const std::int32_t value : values) {
        text += say(number(value), ", ");
    }
    return tables_.try_emplace(text, say("table", tables_.size())).first->second;
}

std::string PackedDialect::tables() const {
    std::string text;
    for (const auto& [contents, name] : tables_) {
        text += say("CONSTANT int32_t ", name, "[] = {", contents, "};\n");
    }
    return text;
}

std::string PackedDialect::declarations() const {
    std::string text;
    for (const std::int32_t cell : named_) {
        text += say(text.empty() ? "  int32_t " : ", ", "m", cell, " = 0");
    }
    return text.empty() ? text : text + ";\n";
}

// Writing

// `low` and `high` bound what the value can be.
std::string PackedDialect::put_into(const Packing& place, const std::string& more, const std::string& value,
                                    std::int64_t low, std::int64_t high, const std::string& escape) const {
    const bool fits = low >= place.low && high <= place.low + std::int64_t{place.mask};
    const std::string check =
        fits ? ""
             : say("if (MISFIT((uint32_t)(", value, ") - ", unsigned_number(static_cast<std::uint32_t>(place.low)),
                   " > ", unsigned_number(place.mask), ")) { TOO_NARROW(", place.cell, ", ", value, "); ", escape,
                   " } ");
    if (place.mask == 0) {
        return check;
    }
    return say(check, "PUT(", place.word, ", ", place.shift, more, ", ", unsigned_number(place.mask), ", ",
               unsigned_number(static_cast<std::uint32_t>(place.low)), ", ", value, ");");
}

std::string PackedDialect::put(std::int32_t cell, const std::string& value, const std::string& escape) const {
    return put_into(program_.packing[at_index(cell)], "", value, program_.low[at_index(cell)],
                    program_.high[at_index(cell)], escape);
}

std::string PackedDialect::put_one_of(const Cells& cells, const std::string& index, const std::string& value,
                                      const std::string& escape) const {
    std::string text;
    const std::vector<Stretch> all = stretches_of(cells);
    for (const Stretch& one : all) {
        std::int64_t low = INT32_MAX;
        std::int64_t high = INT32_MIN;
        for (std::int32_t i = one.first; i < one.first + one.count; ++i) {
            low = std::min<std::int64_t>(low, program_.low[at_index(cells[at_index(i)])]);
            high = std::max<std::int64_t>(high, program_.high[at_index(cells[at_index(i)])]);
        }
        const std::string more = one.count > 1 ? say(" + ", one.distance, " * (", index, " - ", one.first, ")") : "";
        const std::string last = one.first + one.count == static_cast<std::int32_t>(cells.size())
                                     ? ""
                                     : say("if (", index, " < ", one.first + one.count, ") ");
        text +=
            say(text.empty() ? "" : " else ", last, "{ ", put_into(one.place, more, value, low, high, escape), " }");
    }
    return text;
}

std::string PackedDialect::store(std::int32_t first, std::int32_t extent, const std::string& index,
                                 const Domain& domain, const Exit& exit) const {
    if (first >= program_.state_cells) {
        std::string text = say(scratch(first + extent - 1), " = v;");
        for (std::int32_t i = extent - 2; i >= 0; --i) {
            text = say("if (", index, " == ", i, ") ", scratch(first + i), " = v; else { ", text, " }");
        }
        return text;
    }
    Cells cells;
    bool within = true; // whatever the index is
    std::string misfits;
    for (std::int32_t i = 0; i < extent; ++i) {
        const std::int32_t cell = first + i;
        const std::int32_t low = program_.low[at_index(cell)];
        const std::int32_t high = program_.high[at_index(cell)];
        cells.push_back(cell);
        if (domain.low < low || domain.high > high) {
            within = false;
            misfits += say(misfits.empty() ? "" : " || ", "(", index.empty() ? "0" : index, " == ", i, " && (v < ",
                           number(low), " || v > ", number(high), "))");
        }
    }
    const std::string check = within ? "" : say("if (", misfits, ") ", fail(0, exit), " ");
    const std::string escape = exit.leave("LEFT");
    return check + (index.empty() ? put(first, "v", escape) : put_one_of(cells, index, "v", escape));
}

std::string PackedDialect::fail(std::int32_t, const Exit& exit) const { return say("{ ", exit.leave("FAILED"), " }"); }

std::string PackedDialect::leave_to_engine(std::int32_t) const {
    leaves_blocks_ = true;
    return "r = LEFT;";
}

// Channels, sets and processes

bool PackedDialect::covers(const Instruction& ins) const {
    switch (static_cast<Op>(ins.op)) {
    case Op::ENABLED:
    case Op::PRIORITY_OF:
    case Op::SET_PRIORITY:
    case Op::SAVE:
    case Op::UNWIND:
    case Op::COUNT:
        return false;
    default:
        return true;
    }
}

std::string PackedDialect::is_live(std::size_t number) const {
    const std::int32_t tag = program_.processes[number].tag;
    return program_.packing[at_index(tag)].mask == 0 ? (program_.packing[at_index(tag)].low > 0 ? "1" : "0")
                                                     : say("(", value(tag), " > 0)");
}

std::string PackedDialect::special(const Instruction& ins, const Exit& exit) const {
    const auto result = [&](const std::string& text) { return say(scratch(ins.a), " = ", text, ";"); };
    switch (static_cast<Op>(ins.op)) {
    case Op::CHANNEL_LENGTH:
    case Op::CHANNEL_CAPACITY:
    case Op::POLL:
        return on_channel(ins, exit);
    case Op::IN_SET:
        return result(is_among(program_.location_sets[at_index(ins.c)], value(ins.b)));
    case Op::AT:
        return result(at(ins));
    case Op::FIND:
        return result(find(ins.b));
    case Op::REMOTE:
        return result(remote(ins));
    case Op::NONPROGRESS:
        return result(nonprogress());
    case Op::LOCATION_OF:
        return result(by_process(ins.b, [this](std::size_t i) {
            return say("(", is_live(i), " ? ", value(program_.processes[i].location), " : 0)");
        }));
    default: // START
        std::string arguments;
        for (std::int32_t i = 0; i < ins.d; ++i) {
            arguments += say(", ", value(ins.c + i));
        }
        return say("{ const int n = start_", ins.b, "_", ins.d, "(t", arguments, "); if (n < 0) { r = n; goto ",
                   exit.label, "; } ", scratch(ins.a), " = n; }");
    }
}

// What `of` says of the process whose number a cell has; 0 if there is none.
std::string PackedDialect::by_process(std::int32_t cell, const std::function<std::string(std::size_t)>& of) const {
    if (const auto known = names_.constant(cell)) {
        return *known >= 0 && at_index(*known) < program_.processes.size() ? of(at_index(*known)) : "0";
    }
    std::string text = "0";
    for (std::size_t i = program_.processes.size(); i-- > 0;) {
        text = say("(", value(cell), " == ", i, " ? ", of(i), " : ", text, ")");
    }
    return text;
}

std::string PackedDialect::at(const Instruction& ins) const {
    const std::vector<std::uint8_t>& members = program_.location_sets[at_index(ins.d)];
    return by_process(ins.b, [&](std::size_t i) {
        const ProcessPlace& place = program_.processes[i];
        return say("(", value(place.tag), " == ", ins.c + 1, " && ", is_among(members, value(place.location)), ")");
    });
}

std::string PackedDialect::find(std::int32_t kind) const {
    std::string text = "-1";
    for (std::size_t i = program_.processes.size(); i-- > 0;) {
        const std::string tag = value(program_.processes[i].tag);
        text = say("(", tag, " == ", kind + 1, " ? ", i, " : ", tag, " <= 0 ? -1 : ", text, ")");
    }
    return text;
}

std::string PackedDialect::remote(const Instruction& ins) const {
    return by_process(ins.b, [&](std::size_t i) { return remote_of(i, ins); });
}

std::string PackedDialect::remote_of(std::size_t number, const Instruction& ins) const {
    const std::int32_t index = program_.body_of[number][at_index(ins.d) + 1];
    if (index < 0) {
        return "0";
    }
    const Body& owner = program_.bodies[at_index(index)];
    if (owner.locals_count == 0) {
        return "0";
    }
    const std::string offset = value(ins.c);
    const std::string is_kind = say(value(program_.processes[number].tag), " == ", ins.d + 1);
    if (const auto known = names_.constant(ins.c)) {
        const bool there = *known >= 0 && *known < owner.locals_count;
        return there ? say("(", is_kind, " ? ", value(owner.locals + *known), " : 0)") : "0";
    }
    return say("(", is_kind, " && (uint32_t)", offset, " < ", owner.locals_count, "u ? ",
               element(owner.locals, owner.locals_count, offset), " : 0)");
}

std::string PackedDialect::nonprogress() const {
    std::string text = "0";
    for (const Body& body : program_.bodies) {
        std::vector<std::uint8_t> members;
        for (std::int32_t i = 0; i < body.locations; ++i) {
            members.push_back((program_.locations[at_index(body.first_location + i)].flags & kProgress) != 0);
        }
        const ProcessPlace& place = program_.processes[at_index(body.number)];
        const std::string among = is_among(members, value(place.location));
        if (among != "0") {
            text += say(" || (", value(place.tag), " == ", body.kind + 1, " && ", among, ")");
        }
    }
    return say("!(", text, ")");
}

std::string PackedDialect::poll(const ChannelPlace& channel, const Instruction& ins) const {
    const std::vector<std::int32_t>& pattern = program_.pattern_lists[at_index(ins.d)];
    std::string text = "0";
    const std::int32_t messages = ins.e != 0 ? channel.capacity : std::min(1, channel.capacity);
    for (std::int32_t i = 0; i < messages; ++i) {
        text += say(" || (", value(channel.length), " > ", i);
        for (std::int32_t j = 0; j < std::min(static_cast<std::int32_t>(pattern.size()), channel.fields); ++j) {
            if (pattern[at_index(j)] != 0) {
                text += say(" && ", value(channel.base + i * channel.fields + j), " == ", value(ins.c + j));
            }
        }
        text += ")";
    }
    return say("(", text, ")");
}

std::string PackedDialect::on_channel(const Instruction& ins, const Exit& exit) const {
    std::string text = say("switch (channel_at(t, ", value(ins.b), ")) {");
    for (std::size_t i = 0; i < program_.channels.size(); ++i) {
        const ChannelPlace& channel = program_.channels[i];
        const Op op = static_cast<Op>(ins.op);
        text += say(" case ", i + 1, ": ", scratch(ins.a), " = ",
                    op == Op::CHANNEL_LENGTH     ? value(channel.length)
                    : op == Op::CHANNEL_CAPACITY ? say(channel.capacity)
                                                 : poll(channel, ins),
                    "; break;");
    }
    return say(text, " default: ", exit.leave("FAILED"), " }");
}

} // namespace beeline
