#include "jit/block_writer.hpp"

#include "vm/at.hpp"
#include "vm/effect_reader.hpp"
#include "vm/machine.hpp"

#include <algorithm>

namespace beeline {

namespace {

Op op_of(const Instruction& ins) { return static_cast<Op>(ins.op); }

bool returns(Op op) {
    return op == Op::RETURN_FALSE || op == Op::RETURN_TRUE || op == Op::RETURN_VALUE || op == Op::ERROR;
}

// What looks at channels, sets or processes: dialects know how.
bool is_special(Op op) {
    switch (op) {
    case Op::IN_SET:
    case Op::SET_PRIORITY:
    case Op::SAVE:
    case Op::UNWIND:
    case Op::START:
    case Op::COUNT:
        return true;
    default:
        return looks_around(op);
    }
}

// Where a jump leads; -1 for other instructions.
std::int32_t jump_target(const Instruction& ins) {
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

std::string Exit::leave(const char* result) const { return say("r = ", result, "; goto ", label, ";"); }

std::string condition_of(const Test& test, const Dialect& dialect) {
    static const char* const signs[] = {nullptr, "<", "==", "<=", ">", "!=", ">=", nullptr};
    if (test.accepted == 0 || test.accepted >= 7) {
        return test.accepted == 0 ? "0" : "1";
    }
    return say(dialect.value(test.left), " ", signs[test.accepted], " ", dialect.value(test.right));
}

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
    exit_.label = end;
    if (!collect(block)) {
        return say("  ", dialect_.leave_to_engine(block), " ", end, ":;\n");
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
    return say("  {", loops ? say(" int32_t budget = ", Machine::kLoopLimit, ";") : "", dialect_.enter(stores_), "\n",
               text, "  ", end, ":;", dialect_.exit(stores_), "\n  }\n");
}

// The instructions that a block can reach.
bool BlockWriter::collect(std::int32_t block) {
    reached_.clear();
    targets_.clear();
    stores_ = 0;
    std::vector<std::int32_t> waiting{block};
    while (!waiting.empty()) {
        const std::int32_t position = waiting.back();
        waiting.pop_back();
        if (!reached_.insert(position).second) {
            continue;
        }
        const Instruction& ins = program_.plan.code[at(position)];
        if (is_special(op_of(ins)) && !dialect_.covers(ins)) {
            return false;
        }
        stores_ += op_of(ins) == Op::STORE || op_of(ins) == Op::STORE_AT ? 1 : 0;
        if (const std::int32_t target = jump_target(ins); target >= 0) {
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

std::string BlockWriter::label(std::int32_t position) const { return say(exit_.label, "_", position - block_); }

std::string BlockWriter::statement(const Instruction& ins) const {
    const std::string a = dialect_.value(ins.a);
    const std::string b = dialect_.value(ins.b);
    switch (op_of(ins)) {
    case Op::RETURN_FALSE:
        return exit_.leave("0");
    case Op::RETURN_TRUE:
        return exit_.leave("1");
    case Op::RETURN_VALUE:
        return say("value = ", a, "; ", exit_.leave("1"));
    case Op::ERROR:
        return dialect_.fail(ins.a, exit_);
    case Op::JUMP:
        return "goto " + label(ins.a) + ";";
    case Op::LOOP:
        return say("if (--budget < 0) ", fail(Error::Loop), " ", dialect_.go_back(stores_), "goto ", label(ins.a), ";");
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
               dialect_.scratch(ins.a) + " = (int32_t)((uint32_t)" + b + " * (uint32_t)" + number(ins.c) + ");";
    case Op::LOAD_AT:
        return "if ((uint32_t)" + b + " >= " + std::to_string(ins.d) + "u) " + fail(Error::Index) + " " +
               dialect_.scratch(ins.a) + " = " + dialect_.element(ins.c, ins.d, b) + ";";
    case Op::STORE:
    case Op::STORE_AT:
        return store(ins);
    default:
        return is_special(op_of(ins)) ? dialect_.special(ins, exit_) : arithmetic(ins);
    }
}

std::string BlockWriter::arithmetic(const Instruction& ins) const {
    const std::string to = dialect_.scratch(ins.a) + " = ";
    const std::string b = dialect_.value(ins.b);
    const std::string c = dialect_.value(ins.c);
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

std::string BlockWriter::store(const Instruction& ins) const {
    const bool indexed = op_of(ins) == Op::STORE_AT;
    const std::string index = indexed ? dialect_.value(ins.b) : "";
    const Domain& domain = program_.domains[at(indexed ? ins.e : ins.c)];
    const std::string check =
        indexed ? say("if ((uint32_t)", index, " >= ", ins.d, "u) ", fail(Error::Index), " ") : "";
    return say(check, "{ int32_t v = ", dialect_.value(indexed ? ins.c : ins.b), "; if (", misfit(domain, "v"), ") ",
               fail(Error::Range), " ", dialect_.store(ins.a, indexed ? ins.d : 1, index, domain, exit_), " }");
}

} // namespace beeline
