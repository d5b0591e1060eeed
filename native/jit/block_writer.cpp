#include "jit/block_writer.hpp"

#include "vm/machine.hpp"

#include <algorithm>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

Op op_of(const Instruction& ins) { return static_cast<Op>(ins.op); }

bool returns(Op op) {
    return op == Op::RETURN_FALSE || op == Op::RETURN_TRUE || op == Op::RETURN_VALUE || op == Op::ERROR;
}

// Where a jump leads; -1 for other instructions.
std::int32_t target_of(const Instruction& ins) {
    switch (op_of(ins)) {
    case Op::JUMP:
    case Op::LOOP:
        return ins.a;
    case Op::JUMP_IF:
    case Op::JUMP_IF_NOT:
        return ins.b;
    case Op::JUMP_EQ:
    case Op::JUMP_NE:
    case Op::JUMP_LT:
    case Op::JUMP_LE:
        return ins.c;
    default:
        return -1;
    }
}

} // namespace

std::string misfit(const Domain& domain, const std::string& value) {
    const std::string low = number(domain.low);
    const std::string outside = value + " < " + low + " || " + value + " > " + number(domain.high);
    if (domain.wrap == 0) {
        return outside;
    }
    const std::uint32_t mask = static_cast<std::uint32_t>(domain.high) - static_cast<std::uint32_t>(domain.low);
    return "(" + value + " = (int32_t)(((uint32_t)" + value + " - (uint32_t)" + low + " & " + std::to_string(mask) +
           "u) + (uint32_t)" + low + "), 0)";
}

std::string BlockWriter::write(std::int32_t block, const std::string& end) {
    block_ = block;
    end_ = end;
    if (!collect(block)) {
        return say("  r = x->run(x->space, x, ", mark(block), "); value = x->value; ", end, ":;\n");
    }
    std::string text;
    bool loops = false;
    for (const std::int32_t position : reached_) {
        const Instruction& ins = program_.plan.code[at(position)];
        loops = loops || op_of(ins) == Op::LOOP;
        if (targets_.contains(position)) {
            text += say(" ", label(position), ":;\n");
        }
        text += say("  ", statement(ins), "\n");
    }
    return say("  {", loops ? say(" int32_t budget = ", Machine::kLoopLimit, ";") : "", "\n", text, "  }\n  ", end,
               ":;\n");
}

// The instructions that a block can reach.
bool BlockWriter::collect(std::int32_t block) {
    reached_.clear();
    targets_.clear();
    std::vector<std::int32_t> waiting{block};
    while (!waiting.empty()) {
        const std::int32_t position = waiting.back();
        waiting.pop_back();
        if (!reached_.insert(position).second) {
            continue;
        }
        const Instruction& ins = program_.plan.code[at(position)];
        if (!is_covered(ins)) {
            return false;
        }
        if (const std::int32_t target = target_of(ins); target >= 0) {
            targets_.insert(target);
            waiting.push_back(target);
        }
        if (!returns(op_of(ins)) && op_of(ins) != Op::JUMP && op_of(ins) != Op::LOOP) {
            waiting.push_back(position + 1);
        }
    }
    // The code before the entry is reached by loops only; a function begins at its first statement.
    return *reached_.begin() == block;
}

bool BlockWriter::is_covered(const Instruction& ins) const {
    switch (op_of(ins)) {
    case Op::AT:
    case Op::FIND:
    case Op::REMOTE:
    case Op::NONPROGRESS:
    case Op::ENABLED:
    case Op::LOCATION_OF:
    case Op::PRIORITY_OF:
    case Op::SET_PRIORITY:
    case Op::START:
    case Op::COUNT:
        return false;
    default:
        return true;
    }
}

std::string BlockWriter::label(std::int32_t position) const { return say(end_, "_", position - block_); }

std::string BlockWriter::leave(const char* result) const { return say("r = ", result, "; goto ", end_, ";"); }

std::string BlockWriter::fail(const std::string& kind) const {
    return say("{ x->error = ", kind, "; ", leave("-1"), " }");
}

std::string BlockWriter::fail(Error kind) const { return fail(std::to_string(static_cast<int>(kind))); }

std::string BlockWriter::statement(const Instruction& ins) const {
    const std::string a = names_.value(ins.a);
    const std::string b = names_.value(ins.b);
    switch (op_of(ins)) {
    case Op::RETURN_FALSE:
        return leave("0");
    case Op::RETURN_TRUE:
        return leave("1");
    case Op::RETURN_VALUE:
        return say("value = ", a, "; ", leave("1"));
    case Op::ERROR:
        return fail(std::to_string(ins.a));
    case Op::JUMP:
        return "goto " + label(ins.a) + ";";
    case Op::LOOP:
        return "if (--budget < 0) " + fail(Error::Loop) + " goto " + label(ins.a) + ";";
    case Op::JUMP_IF:
        return "if (" + a + " != 0) goto " + label(ins.b) + ";";
    case Op::JUMP_IF_NOT:
        return "if (" + a + " == 0) goto " + label(ins.b) + ";";
    case Op::JUMP_EQ:
        return "if (" + a + " == " + b + ") goto " + label(ins.c) + ";";
    case Op::JUMP_NE:
        return "if (" + a + " != " + b + ") goto " + label(ins.c) + ";";
    case Op::JUMP_LT:
        return "if (" + a + " < " + b + ") goto " + label(ins.c) + ";";
    case Op::JUMP_LE:
        return "if (" + a + " <= " + b + ") goto " + label(ins.c) + ";";
    case Op::SCALE:
        return "if ((uint32_t)" + b + " >= " + std::to_string(ins.d) + "u) " + fail(Error::Index) + " " +
               cell_at(ins.a) + " = (int32_t)((uint32_t)" + b + " * (uint32_t)" + number(ins.c) + ");";
    case Op::LOAD_AT:
        return "if ((uint32_t)" + b + " >= " + std::to_string(ins.d) + "u) " + fail(Error::Index) + " " +
               cell_at(ins.a) + " = m[" + mark(ins.c) + " + " + b + "];";
    case Op::STORE:
    case Op::STORE_AT:
        return store(ins);
    case Op::CHANNEL_LENGTH:
    case Op::CHANNEL_CAPACITY:
    case Op::POLL:
        return on_channel(ins);
    case Op::IN_SET:
        return cell_at(ins.a) + " = (uint32_t)" + b + " < sizeof set" + std::to_string(ins.c) + " - 1 && set" +
               std::to_string(ins.c) + "[" + b + "];";
    default:
        return arithmetic(ins);
    }
}

std::string BlockWriter::arithmetic(const Instruction& ins) const {
    const std::string to = cell_at(ins.a) + " = ";
    const std::string b = names_.value(ins.b);
    const std::string c = names_.value(ins.c);
    const auto wrapping = [&](const char* sign) {
        return to + "(int32_t)((uint32_t)" + b + " " + sign + " (uint32_t)" + c + ");";
    };
    const auto plain = [&](const char* sign) { return to + b + " " + sign + " " + c + ";"; };
    const std::string check = "if (" + c + " == 0) " + fail(Error::Division) + " ";
    switch (op_of(ins)) {
    case Op::MOVE:
        return to + b + ";";
    case Op::NEGATE:
        return to + "(int32_t)(0u - (uint32_t)" + b + ");";
    case Op::NOT:
        return to + b + " == 0;";
    case Op::INVERT:
        return to + "~" + b + ";";
    case Op::ADD:
        return wrapping("+");
    case Op::SUBTRACT:
        return wrapping("-");
    case Op::MULTIPLY:
        return wrapping("*");
    case Op::DIVIDE:
        return check + to + "divided(" + b + ", " + c + ");";
    case Op::MODULO:
        return check + to + "remainder_of(" + b + ", " + c + ");";
    case Op::AND:
        return plain("&");
    case Op::OR:
        return plain("|");
    case Op::XOR:
        return plain("^");
    case Op::SHIFT_LEFT:
        return to + "(int32_t)((uint32_t)" + b + " << ((uint32_t)" + c + " & 31u));";
    case Op::SHIFT_RIGHT:
        return to + b + " >> ((uint32_t)" + c + " & 31u);";
    case Op::MINIMUM:
        return to + b + " < " + c + " ? " + b + " : " + c + ";";
    case Op::MAXIMUM:
        return to + b + " > " + c + " ? " + b + " : " + c + ";";
    case Op::EQUAL:
        return plain("==");
    case Op::NOT_EQUAL:
        return plain("!=");
    case Op::LESS:
        return plain("<");
    default:
        return plain("<=");
    }
}

std::string BlockWriter::on_channel(const Instruction& ins) const {
    const std::string found = say("{ const struct channel* c = find_channel(x, ", names_.value(ins.b), "); if (!c) { ",
                                  leave("-1"), " } ", cell_at(ins.a), " = ");
    switch (op_of(ins)) {
    case Op::CHANNEL_LENGTH:
        return found + "m[c->length]; }";
    case Op::CHANNEL_CAPACITY:
        return found + "c->capacity; }";
    default:
        return say(found, "find_message(m, c, m + ", mark(ins.c), ", pattern", ins.d, ", ",
                   program_.pattern_lists[at(ins.d)].size(), ", ", ins.e != 0 ? 1 : 0, ") >= 0; }");
    }
}

std::string BlockWriter::store(const Instruction& ins) const {
    const bool indexed = op_of(ins) == Op::STORE_AT;
    const std::string index = indexed ? names_.value(ins.b) : "";
    const Domain& domain = program_.domains[at(indexed ? ins.e : ins.c)];
    std::string text = say("{ int32_t v = ", names_.value(indexed ? ins.c : ins.b), "; if (", misfit(domain, "v"), ") ",
                           fail(Error::Range), " ");
    if (indexed) {
        text = say("if ((uint32_t)", index, " >= ", ins.d, "u) ", fail(Error::Index), " ", text);
    }
    const std::string cell = indexed ? say(mark(ins.a), " + ", index) : mark(ins.a);
    if (ins.a >= program_.state_cells) {
        return say(text, "m[", cell, "] = v; }");
    }
    return say(text, "if (!fits_cell(", cell, ", v)) ", fail(Error::Range), " set(x, ", cell, ", v); }");
}

} // namespace beeline
