#include "vm/effect_reader.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <string_view>

namespace beeline {
namespace {

Op op_of(const Instruction& ins) { return static_cast<Op>(ins.op); }

const char* signature_of(const Instruction& ins) { return op_table()[at(ins.op)].signature; }

} // namespace

bool looks_around(Op op) {
    switch (op) {
    case Op::CHANNEL_LENGTH:
    case Op::CHANNEL_CAPACITY:
    case Op::POLL:
    case Op::AT:
    case Op::FIND:
    case Op::REMOTE:
    case Op::NONPROGRESS:
    case Op::ENABLED:
    case Op::LOCATION_OF:
    case Op::PRIORITY_OF:
        return true;
    default:
        return false;
    }
}

EffectReader::EffectReader(const Program& program, Plan& plan) : p_(program), plan_(plan) {}

EffectPlan EffectReader::read(std::int32_t block, CellRanges& written) {
    EffectPlan effect;
    effect.block = block;
    effect.first = static_cast<std::int32_t>(plan_.assignments.size());
    if (block < 0) {
        return effect;
    }
    written_ = &written;
    start_ = position_ = furthest_ = block;
    reads_ = false;
    Reading reading = Reading::Fine;
    for (; reading == Reading::Fine; ++position_) {
        reading = next();
    }
    effect.planned = reading == Reading::Done;
    effect.reads = reads_;
    if (!effect.planned) {
        plan_.assignments.resize(at(effect.first));
    }
    effect.count = static_cast<std::int32_t>(plan_.assignments.size()) - effect.first;
    return effect;
}

EffectReader::Reading EffectReader::next() {
    const Instruction& ins = p_.code[at(position_)];
    switch (op_of(ins)) {
    case Op::RETURN_TRUE:
        if (furthest_ > position_) {
            return Reading::Refused;
        }
        if (start_ < position_) {
            plan_.assignments.push_back({compute_block(position_), -1, 0, 0, 0, 0, 0, 0, 0, 0});
        }
        return Reading::Done;
    case Op::RETURN_FALSE:
    case Op::RETURN_VALUE:
    case Op::LOOP:
    case Op::SAVE:
    case Op::UNWIND:
    case Op::START:
    case Op::SET_PRIORITY:
        return Reading::Refused;
    case Op::JUMP:
        furthest_ = std::max(furthest_, ins.a);
        break;
    case Op::JUMP_IF:
    case Op::JUMP_IF_NOT:
        furthest_ = std::max(furthest_, ins.b);
        break;
    case Op::JUMP_EQ:
    case Op::JUMP_NE:
    case Op::JUMP_LT:
    case Op::JUMP_LE:
        furthest_ = std::max(furthest_, ins.c);
        break;
    default:
        break;
    }
    if (!reads_are_old(ins)) {
        return Reading::Refused;
    }
    const bool stores = (op_of(ins) == Op::STORE || op_of(ins) == Op::STORE_AT) && ins.a < p_.state_cells;
    return !stores || store(ins) ? Reading::Fine : Reading::Refused;
}

// Whether an instruction sees the state as it was before the effect.
bool EffectReader::reads_are_old(const Instruction& ins) {
    const std::int32_t operands[] = {ins.a, ins.b, ins.c, ins.d, ins.e};
    const char* signature = signature_of(ins);
    bool old = true;
    for (std::size_t i = 0; signature[i] != '\0'; ++i) {
        if (signature[i] == 'r') {
            old = is_old({operands[i], 1}) && old;
        } else if (signature[i] == 'B' && op_of(ins) == Op::LOAD_AT) {
            old = is_old({operands[i], ins.d}) && old;
        }
    }
    if (looks_around(op_of(ins))) {
        reads_ = true;
        old = old && written_->empty();
    }
    return old;
}

bool EffectReader::is_old(CellRange read) {
    reads_ = reads_ || read.first < p_.state_cells;
    return std::none_of(written_->begin(), written_->end(), [&](const CellRange& range) {
        return read.first < range.first + range.count && range.first < read.first + read.count;
    });
}

// A store into the state becomes an assignment; what was computed since the last one becomes a block of its own.
bool EffectReader::store(const Instruction& ins) {
    if (furthest_ > position_) {
        return false; // not every way through the code comes here
    }
    const bool indexed = op_of(ins) == Op::STORE_AT;
    const std::int32_t value = indexed ? ins.c : ins.b;
    Assignment assignment{-1, ins.a, 0, 0, value, p_.zero_cell, 0, 0, 0, 0};
    std::int32_t end = position_;
    if (indexed) {
        assignment.index = ins.b;
        assignment.extent = ins.d;
    } else if (const auto sum = sum_before(value)) {
        assignment = *sum;
        assignment.cell = ins.a;
        --end;
    }
    if (!set_bounds(assignment, indexed ? ins.e : ins.c)) {
        return false;
    }
    assignment.compute = start_ < end ? compute_block(end) : -1;
    plan_.assignments.push_back(assignment);
    written_->push_back({ins.a, indexed ? ins.d : 1});
    start_ = position_ + 1;
    return true;
}

// The sum or difference that the instruction before computes for this store alone.
std::optional<Assignment> EffectReader::sum_before(std::int32_t stored) const {
    if (position_ == start_ || furthest_ == position_) {
        return std::nullopt;
    }
    const Instruction& ins = p_.code[at(position_ - 1)];
    const bool adds = op_of(ins) == Op::ADD;
    if ((!adds && op_of(ins) != Op::SUBTRACT) || ins.a != stored || is_used_after(stored, position_)) {
        return std::nullopt;
    }
    return Assignment{-1, 0, 0, 0, ins.b, ins.c, adds ? 0 : -1, 0, 0, 0};
}

bool EffectReader::is_used_after(std::int32_t cell, std::int32_t position) const {
    for (const Instruction* ins = p_.code.data() + position + 1;; ++ins) {
        const std::string_view signature = signature_of(*ins);
        const std::int32_t operands[] = {ins->a, ins->b, ins->c, ins->d, ins->e};
        for (std::size_t i = 0; i < signature.size(); ++i) {
            const bool ranged = signature[i] == 'B' || signature[i] == 'A' || signature[i] == 'P';
            if (ranged || (signature[i] == 'r' && operands[i] == cell)) {
                return true;
            }
        }
        if (op_of(*ins) == Op::RETURN_TRUE || op_of(*ins) == Op::RETURN_FALSE || op_of(*ins) == Op::RETURN_VALUE) {
            return false;
        }
    }
}

bool EffectReader::set_bounds(Assignment& assignment, std::int32_t domain) const {
    const Domain& given = p_.domains[at(domain)];
    std::int32_t low = given.low;
    std::int32_t high = given.high;
    for (std::int32_t i = 0; i < std::max(1, assignment.extent); ++i) {
        low = std::max(low, p_.low[at(assignment.cell + i)]);
        high = std::min(high, p_.high[at(assignment.cell + i)]);
    }
    assignment.low = low;
    assignment.span = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    assignment.domain = domain;
    return low <= high;
}

// A copy of the instructions that no assignment covers, up to `end`, as a block.
std::int32_t EffectReader::compute_block(std::int32_t end) {
    const auto entry = static_cast<std::int32_t>(plan_.code.size());
    const std::int32_t shift = entry - start_;
    for (std::int32_t i = start_; i < end; ++i) {
        Instruction ins = p_.code[at(i)];
        std::int32_t* operands[] = {&ins.a, &ins.b, &ins.c, &ins.d, &ins.e};
        const char* signature = signature_of(ins);
        for (std::size_t j = 0; signature[j] != '\0'; ++j) {
            *operands[j] += signature[j] == 'j' ? shift : 0;
        }
        plan_.code.push_back(ins);
    }
    Instruction last{};
    last.op = static_cast<std::int32_t>(Op::RETURN_TRUE);
    plan_.code.push_back(last);
    start_ = end;
    return entry;
}

} // namespace beeline
