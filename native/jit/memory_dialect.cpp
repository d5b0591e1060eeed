#include "jit/memory_dialect.hpp"

namespace beeline {

std::string MemoryDialect::element(std::int32_t first, std::int32_t, const std::string& index) const {
    return say("m[", mark(first), " + ", index, "]");
}

std::string MemoryDialect::store(std::int32_t first, std::int32_t extent, const std::string& index,
                                 const Domain& domain, const Exit& exit) const {
    const std::string cell = index.empty() ? mark(first) : say(mark(first), " + ", index);
    if (first >= program_.state_cells) {
        return say("m[", cell, "] = v;");
    }
    const std::string check = all_hold(first, extent, domain)
                                  ? ""
                                  : say("if (!fits_cell(", cell, ", v)) ",
                                        MemoryDialect::fail(static_cast<std::int32_t>(Error::Range), exit), " ");
    return say(check, "l = logged(m, l, ", cell, ", v);");
}

// Whether cells of the state have room for every value of a domain.
bool MemoryDialect::all_hold(std::int32_t first, std::int32_t extent, const Domain& domain) const {
    for (std::int32_t cell = first; cell < first + extent; ++cell) {
        const auto i = static_cast<std::size_t>(cell);
        if (domain.low < program_.low[i] || domain.high > program_.high[i]) {
            return false;
        }
    }
    return true;
}

std::string MemoryDialect::enter(std::size_t stores) const {
    return stores == 0 ? "" : say(" struct change* l = log_room(x, ", stores, ");");
}

std::string MemoryDialect::exit(std::size_t stores) const {
    return stores == 0 ? "" : " x->log->size = (size_t)(l - x->log->entries);";
}

std::string MemoryDialect::go_back(std::size_t stores) const {
    return stores == 0 ? "" : say("x->log->size = (size_t)(l - x->log->entries); l = log_room(x, ", stores, "); ");
}

std::string MemoryDialect::fail(std::int32_t kind, const Exit& exit) const {
    return say("{ x->error = ", kind, "; ", exit.leave("-1"), " }");
}

bool MemoryDialect::covers(const Instruction& ins) const {
    switch (static_cast<Op>(ins.op)) {
    case Op::CHANNEL_LENGTH:
    case Op::CHANNEL_CAPACITY:
    case Op::POLL:
    case Op::IN_SET:
        return true;
    default:
        return false;
    }
}

std::string MemoryDialect::special(const Instruction& ins, const Exit& exit) const {
    const std::string b = value(ins.b);
    const std::string found = say("{ const struct channel* c = find_channel(x, ", b, "); if (!c) { ", exit.leave("-1"),
                                  " } ", cell_at(ins.a), " = ");
    switch (static_cast<Op>(ins.op)) {
    case Op::CHANNEL_LENGTH:
        return found + "m[c->length]; }";
    case Op::CHANNEL_CAPACITY:
        return found + "c->capacity; }";
    case Op::POLL:
        return say(found, "find_message(m, c, m + ", mark(ins.c), ", pattern", ins.d, ", ",
                   program_.pattern_lists[static_cast<std::size_t>(ins.d)].size(), ", ", ins.e != 0 ? 1 : 0,
                   ") >= 0; }");
    default: // IN_SET
        return say(cell_at(ins.a), " = (uint32_t)", b, " < sizeof set", ins.c, " - 1 && set", ins.c, "[", b, "];");
    }
}

std::string MemoryDialect::leave_to_engine(std::int32_t block) const {
    return say("r = x->run(x->space, x, ", mark(block), "); value = x->value;");
}

} // namespace beeline
