#include "jit/sieve.hpp"

#include "jit/text.hpp"
#include "vm/at.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace beeline {

namespace {

constexpr std::int32_t kMostValues = 64;
constexpr int kMostMoves = 2000; // of one walk

Op op_of(const Instruction& ins) { return static_cast<Op>(ins.op); }

// What is known of a value: itself, whether the known cell had a say in it, or else the one cell that it depends on.
struct Value {
    static constexpr std::int32_t kNobody = -1, kKnownCell = -2, kMany = -3;

    std::optional<std::int32_t> known;
    std::int32_t source = kNobody;
};

std::int32_t source_of_both(const Value& a, const Value& b) {
    if (a.source == b.source || b.source == Value::kNobody) {
        return a.source;
    }
    return a.source == Value::kNobody ? b.source : Value::kMany;
}

std::optional<std::int32_t> computed(Op op, std::int32_t a, std::int32_t b) {
    switch (op) {
    case Op::MOVE:
        return a;
    case Op::NOT:
        return a == 0;
    case Op::EQUAL:
    case Op::JUMP_EQ:
        return a == b;
    case Op::NOT_EQUAL:
    case Op::JUMP_NE:
        return a != b;
    case Op::LESS:
    case Op::JUMP_LT:
        return a < b;
    case Op::LESS_EQUAL:
    case Op::JUMP_LE:
        return a <= b;
    case Op::JUMP_IF:
        return a != 0;
    case Op::JUMP_IF_NOT:
        return a == 0;
    default:
        return std::nullopt;
    }
}

// A walk through one guard. Of what it does not know it says `passes`, and it gives up where it would take long.
class Walk {
public:
    Walk(const Program& program, const std::set<std::int32_t>& asked, std::int32_t cell, std::int32_t value)
        : program_(program), names_(program), asked_(asked), cell_(cell), value_(value) {}

    bool passes = false, fails = false, gave_up = false;

    void from(std::int32_t position, std::map<std::int32_t, Value> scratch = {}, std::int32_t judge = Value::kMany) {
        for (;; ++position) {
            if (++moves_ > kMostMoves) {
                gave_up = true;
                return;
            }
            const Instruction& ins = program_.plan.code[at(position)];
            const auto value = [&](std::int32_t operand) { return value_of(operand, scratch); };
            switch (op_of(ins)) {
            case Op::RETURN_FALSE:
                return;
            case Op::ERROR:
                return blame(judge);
            case Op::JUMP:
                position = ins.a - 1;
                break;
            case Op::JUMP_IF:
            case Op::JUMP_IF_NOT:
                if (!jump(combined(op_of(ins), value(ins.a), {}), ins.b, position, scratch, judge)) {
                    return;
                }
                break;
            case Op::JUMP_EQ:
            case Op::JUMP_NE:
            case Op::JUMP_LT:
            case Op::JUMP_LE:
                if (!jump(combined(op_of(ins), value(ins.a), value(ins.b)), ins.c, position, scratch, judge)) {
                    return;
                }
                break;
            case Op::MOVE:
            case Op::NOT:
                scratch[ins.a] = combined(op_of(ins), value(ins.b), {});
                break;
            case Op::EQUAL:
            case Op::NOT_EQUAL:
            case Op::LESS:
            case Op::LESS_EQUAL:
                scratch[ins.a] = combined(op_of(ins), value(ins.b), value(ins.c));
                break;
            default:
                passes = true;
                return;
            }
        }
    }

private:
    Value value_of(std::int32_t operand, const std::map<std::int32_t, Value>& scratch) const {
        if (const auto constant = names_.constant(operand)) {
            return {constant, Value::kNobody};
        }
        if (operand == cell_) {
            return {value_, Value::kKnownCell};
        }
        if (operand < program_.state_cells) {
            return {std::nullopt, asked_.contains(operand) ? operand : Value::kMany};
        }
        const auto found = scratch.find(operand);
        return found == scratch.end() ? Value{std::nullopt, Value::kMany} : found->second;
    }

    static Value combined(Op op, const Value& a, const Value& b) {
        const bool needs_both = op != Op::MOVE && op != Op::NOT && op != Op::JUMP_IF && op != Op::JUMP_IF_NOT;
        Value result{std::nullopt, source_of_both(a, b)};
        if (a.known && (b.known || !needs_both)) {
            result.known = computed(op, *a.known, b.known.value_or(0));
        }
        return result;
    }

    // Goes on where a jump leads; where both can be, there first and behind it then. False if there is no more to do.
    bool jump(const Value& taken, std::int32_t target, std::int32_t& position, std::map<std::int32_t, Value>& scratch,
              std::int32_t& judge) {
        judge = taken.source == Value::kNobody ? judge : taken.source;
        if (taken.known) {
            position = *taken.known != 0 ? target - 1 : position;
            return true;
        }
        from(target, scratch, judge);
        return !gave_up;
    }

    // Where another cell decided, the walks with its values have found this error.
    void blame(std::int32_t judge) {
        fails = fails || judge == Value::kKnownCell;
        passes = passes || judge == Value::kMany;
    }

    const Program& program_;
    CellNames names_;
    const std::set<std::int32_t>& asked_; // the cells of which all values are tried
    std::int32_t cell_, value_;
    int moves_ = 0;
};

// The cells of the state that a guard reads, as far as a walk can follow it.
void add_cells(const Program& program, std::int32_t guard, std::set<std::int32_t>& cells) {
    std::set<std::int32_t> seen;
    std::vector<std::int32_t> waiting{guard};
    while (!waiting.empty()) {
        const std::int32_t position = waiting.back();
        waiting.pop_back();
        const Instruction& ins = program.plan.code[at(position)];
        if (op_of(ins) > Op::LESS_EQUAL || op_of(ins) == Op::LOOP || !seen.insert(position).second) {
            continue;
        }
        const std::int32_t operands[] = {ins.a, ins.b, ins.c};
        const std::string_view signature = op_table()[at(ins.op)].signature;
        for (std::size_t i = 0; i < signature.size(); ++i) {
            if (signature[i] == 'r' && operands[i] < program.state_cells) {
                cells.insert(operands[i]);
            } else if (signature[i] == 'j') {
                waiting.push_back(operands[i]);
            }
        }
        if (op_of(ins) > Op::JUMP) {
            waiting.push_back(position + 1);
        }
    }
}

// How many values a cell of the state may have.
std::int64_t values_of(const Program& program, std::int32_t cell) {
    return std::int64_t{program.high[at(cell)]} - program.low[at(cell)] + 1;
}

} // namespace

std::vector<CellSieve> sieves_of(const Program& program, std::int32_t location) {
    std::vector<std::int32_t> guards;
    const LocationPlan& here = program.plan.locations[at(location)];
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const EdgeRow& edge = program.edges[at(i)];
        if (!edge.is(Sync::None) || (edge.flags & kOtherwise) != 0 || edge.guard < 0) {
            return {};
        }
        guards.push_back(edge.guard);
    }
    std::set<std::int32_t> cells;
    for (const std::int32_t guard : guards) {
        add_cells(program, guard, cells);
    }
    std::erase_if(cells, [&](std::int32_t cell) { return values_of(program, cell) > kMostValues; });
    std::vector<CellSieve> sieves;
    for (const std::int32_t cell : cells) {
        CellSieve& sieve = sieves.emplace_back(CellSieve{cell, {}, {}});
        for (std::int32_t value = program.low[at(cell)]; value <= program.high[at(cell)]; ++value) {
            Walk walk(program, cells, cell, value);
            std::for_each(guards.begin(), guards.end(), [&](std::int32_t guard) { walk.from(guard); });
            if (walk.gave_up) {
                return {};
            }
            sieve.passes.push_back(walk.passes);
            sieve.fails.push_back(walk.fails);
        }
    }
    return sieves;
}

} // namespace beeline
