#include "vm/machine.hpp"

#include <algorithm>
#include <bit>

namespace beeline {

Machine::Machine(const Program& given) : program(&given) {
    cells.assign(static_cast<std::size_t>(program->memory_cells), 0);
    std::copy(program->initial.begin(), program->initial.end(), cells.begin());
    std::copy(program->constants.begin(), program->constants.end(), cells.begin() + program->state_cells);
    change_program(given);
}

void Machine::change_program(const Program& other) {
    program = &other;
    drop_frames(0);
    cells.resize(static_cast<std::size_t>(program->memory_cells));
    cells.insert(cells.end(), program->plan.constants.begin(), program->plan.constants.end());
}

// Compiled programs never store outside a cell's range; the second check keeps malformed ones harmless.
bool Machine::fit_cell(std::int32_t cell, std::int32_t domain, std::int32_t& stored) {
    if (program->domains[static_cast<std::size_t>(domain)].fit(stored) &&
        stored >= program->low[static_cast<std::size_t>(cell)] &&
        stored <= program->high[static_cast<std::size_t>(cell)]) {
        return true;
    }
    error = Error::Range;
    return false;
}

bool Machine::store(std::int32_t cell, std::int32_t stored, std::int32_t domain) {
    if (cell < program->state_cells) {
        if (!fit_cell(cell, domain, stored)) {
            return false;
        }
        set(cell, stored);
        return true;
    }
    if (!program->domains[static_cast<std::size_t>(domain)].fit(stored)) {
        return false;
    }
    cells[static_cast<std::size_t>(cell)] = stored;
    return true;
}

const ChannelPlace* Machine::channel(std::int32_t number) {
    if (number >= 1 && number <= program->network_channels) {
        const ChannelPlace* const found = &program->channels[static_cast<std::size_t>(number - 1)];
        if (touched != nullptr) {
            tell(*found);
        }
        return found;
    }
    std::int32_t before = program->network_channels;
    for (std::size_t i = 0; number > before && i < program->processes.size(); ++i) {
        if (touched != nullptr) {
            touched->add(program->processes[i].tag);
        }
        const Body* owner = body(i);
        if (owner == nullptr) {
            break;
        }
        if (number <= before + owner->channels) {
            const auto& found = program->channels[static_cast<std::size_t>(owner->first_channel + number - before - 1)];
            if (touched != nullptr) {
                tell(found);
            }
            const std::int32_t messages = length(found);
            if (messages >= 0 && messages <= found.capacity) {
                return &found;
            }
            break;
        }
        before += owner->channels;
    }
    error = Error::Channel;
    return nullptr;
}

std::int32_t Machine::find_message(const ChannelPlace& channel, const std::int32_t* wanted,
                                   const std::vector<std::int32_t>& pattern, bool anywhere) const {
    const std::int32_t messages = anywhere ? length(channel) : std::min(1, length(channel));
    const auto compared = std::min<std::size_t>(pattern.size(), static_cast<std::size_t>(channel.fields));
    for (std::int32_t i = 0; i < messages; ++i) {
        const std::int32_t* message = cells.data() + channel.base + i * channel.fields;
        bool equal = true;
        for (std::size_t j = 0; equal && j < compared; ++j) {
            equal = pattern[j] == 0 || message[j] == wanted[j];
        }
        if (equal) {
            return i;
        }
    }
    return -1;
}

std::size_t Machine::live() const {
    std::size_t count = 0;
    while (count < program->processes.size() && body(count) != nullptr) {
        ++count;
    }
    return count;
}

bool Machine::start(const Instruction& ins) {
    const std::size_t number = live();
    const std::size_t tag = static_cast<std::size_t>(ins.b) + 1;
    // A process's own set-up starts no others; malformed code that tries is stopped here.
    if (starting_ || number >= program->processes.size() || program->body_of[number][tag] < 0) {
        error = Error::Processes;
        return false;
    }
    const Body& body = program->bodies[static_cast<std::size_t>(program->body_of[number][tag])];
    if (body.parameters != ins.d) {
        error = Error::Processes;
        return false;
    }
    starting_ = true;
    const bool done = set_up(body, number, ins);
    starting_ = false;
    return done;
}

bool Machine::set_up(const Body& body, std::size_t number, const Instruction& ins) {
    const ProcessPlace& place = program->processes[number];
    if (touched != nullptr) {
        touched->write_range(place.first_cell, place.end_cell - place.first_cell);
    }
    std::int32_t following = program->network_channels;
    for (std::size_t i = 0; i < number; ++i) {
        following += this->body(i)->channels;
    }
    set(place.tag, body.kind + 1);
    set(place.location, body.initial_location);
    if (place.priority >= 0) {
        set(place.priority, std::clamp(cells[static_cast<std::size_t>(ins.e)], 0, 255));
    }
    for (std::int32_t i = 0; i < body.locals_count; ++i) {
        const auto& row = program->initial_cells[static_cast<std::size_t>(body.first_initial + i)];
        if (!store(row[0], row[1], 0)) {
            error = Error::Range;
            return false;
        }
    }
    for (std::int32_t i = 0; i < body.parameters; ++i) {
        const std::int32_t domain = program->parameter_domains[static_cast<std::size_t>(body.first_parameter + i)];
        if (!store(body.locals + i, cells[static_cast<std::size_t>(ins.c + i)], domain)) {
            error = Error::Range;
            return false;
        }
    }
    // The numbers of its channels are its last locals.
    for (std::int32_t i = 0; i < body.channels; ++i) {
        if (!store(body.locals + body.locals_count - body.channels + i, ++following, 0)) {
            error = Error::Range;
            return false;
        }
    }
    const std::int32_t left = budget; // the set-up has iterations of its own
    if (nested([&] { return run_if_any(body.setup); }) == kFailed) {
        return false;
    }
    budget = left;
    cells[static_cast<std::size_t>(ins.a)] = static_cast<std::int32_t>(number);
    return true;
}

void Machine::remove(std::size_t number) {
    const ProcessPlace& place = program->processes[number];
    for (std::int32_t cell = place.first_cell; cell < place.end_cell; ++cell) {
        set(cell, 0);
    }
}

bool Machine::at(const Instruction& ins) const {
    const std::int32_t number = cells[static_cast<std::size_t>(ins.b)];
    if (!is_live(number)) {
        return false;
    }
    const auto index = static_cast<std::size_t>(number);
    const auto& set = program->location_sets[static_cast<std::size_t>(ins.d)];
    const auto location = static_cast<std::size_t>(cells[static_cast<std::size_t>(program->processes[index].location)]);
    return body(index)->kind == ins.c && location < set.size() && set[location] != 0;
}

std::int32_t Machine::find_kind(std::int32_t kind) const {
    for (std::size_t i = 0; i < program->processes.size(); ++i) {
        const Body* found = body(i);
        if (found == nullptr) {
            break;
        }
        if (found->kind == kind) {
            return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

std::int32_t Machine::remote(const Instruction& ins) const {
    const std::int32_t number = cells[static_cast<std::size_t>(ins.b)];
    const std::int32_t offset = cells[static_cast<std::size_t>(ins.c)];
    if (!is_live(number)) {
        return 0;
    }
    const Body* owner = body(static_cast<std::size_t>(number));
    if (owner->kind != ins.d || offset < 0 || offset >= owner->locals_count) {
        return 0;
    }
    return cells[static_cast<std::size_t>(owner->locals + offset)];
}

bool Machine::progress() const {
    for (std::size_t i = 0; i < program->processes.size(); ++i) {
        const Body* owner = body(i);
        if (owner == nullptr) {
            break;
        }
        const auto location = static_cast<std::size_t>(owner->first_location +
                                                       cells[static_cast<std::size_t>(program->processes[i].location)]);
        if ((program->locations[location].flags & kProgress) != 0) {
            return true;
        }
    }
    return false;
}

// What an instruction touches, by its signature: reads are operands as bits, and most instructions have nothing else.
namespace {

struct Touching {
    std::uint32_t reads = 0;
    bool stores = false, more = false;
};

constexpr Touching touching_of(Op op, const char* signature) {
    Touching found{0, op == Op::STORE, op >= Op::AT};
    for (std::uint32_t i = 0; signature[i] != '\0'; ++i) {
        found.reads |= static_cast<std::uint32_t>(signature[i] == 'r') << i;
        found.more = found.more || signature[i] == 'A' || signature[i] == 'B' || signature[i] == 'P';
    }
    return found;
}

constexpr Touching kTouching[] = {
#define OP(name, signature) touching_of(Op::name, signature),
#include "vm/opcodes.def"
#undef OP
};

// Tells what an instruction touches if that is easily said; says whether.
[[gnu::noinline]] bool tell_cells(Touched& touched, const Instruction& ins) {
    const Touching& touching = kTouching[ins.op];
    if (touching.more) {
        return false;
    }
    const std::int32_t operands[] = {ins.a, ins.b, ins.c, ins.d, ins.e};
    for (std::uint32_t reads = touching.reads; reads != 0; reads &= reads - 1) {
        touched.add(operands[std::countr_zero(reads)]);
    }
    if (touching.stores) {
        touched.write(ins.a);
    }
    return true;
}

} // namespace

// What an instruction is about to touch. It reads before it writes. Those that ask for processes are not worth
// remembering.
void Machine::tell(const Instruction& ins) {
    const std::int32_t operands[] = {ins.a, ins.b, ins.c, ins.d, ins.e};
    const char* letter = op_table()[static_cast<std::size_t>(ins.op)].signature;
    const auto element = [&](std::int32_t first) {
        const std::int32_t index = cells[static_cast<std::size_t>(ins.b)];
        return index >= 0 && index < ins.d ? first + index : -1;
    };
    for (const std::int32_t operand : operands) {
        switch (*letter == '\0' ? *letter : *letter++) {
        case 'r':
            touched->add(operand);
            break;
        case 'A':
            touched->add_range(operand, ins.d);
            break;
        case 'B':
            if (static_cast<Op>(ins.op) != Op::STORE_AT) {
                touched->add(element(operand));
            }
            break;
        case 'P':
            touched->add_range(
                operand, static_cast<std::int32_t>(program->pattern_lists[static_cast<std::size_t>(ins.d)].size()));
            break;
        default:
            break;
        }
    }
    if (static_cast<Op>(ins.op) >= Op::AT) { // where those begin that ask for processes
        tell_processes(ins);
    }
    if (static_cast<Op>(ins.op) == Op::STORE_AT) {
        touched->write(element(ins.a));
    }
}

void Machine::tell_processes(const Instruction& ins) {
    const auto asked = [&](std::int32_t cell) {
        return static_cast<std::size_t>(cells[static_cast<std::size_t>(cell)]);
    };
    switch (static_cast<Op>(ins.op)) {
    case Op::AT:
    case Op::ENABLED:
    case Op::LOCATION_OF:
        tell_process(asked(ins.b), true);
        break;
    case Op::REMOTE:
        tell_process(asked(ins.b), false);
        if (is_live(cells[static_cast<std::size_t>(ins.b)])) {
            const Body& owner = *body(asked(ins.b));
            const std::int32_t offset = cells[static_cast<std::size_t>(ins.c)];
            if (owner.kind == ins.d && offset >= 0 && offset < owner.locals_count) {
                touched->add(owner.locals + offset);
            }
        }
        break;
    case Op::FIND:
    case Op::START:
    case Op::NONPROGRESS:
        tell_everyone(static_cast<Op>(ins.op) == Op::NONPROGRESS);
        break;
    case Op::PRIORITY_OF:
    case Op::SET_PRIORITY: {
        const bool sets = static_cast<Op>(ins.op) == Op::SET_PRIORITY;
        const std::size_t number = asked(sets ? ins.a : ins.b);
        tell_process(number, false);
        if (number < program->processes.size() && program->processes[number].priority >= 0) {
            const std::int32_t cell = program->processes[number].priority;
            sets ? touched->write(cell) : touched->add(cell);
        }
        break;
    }
    default:
        return;
    }
    touched->give_up();
}

void Machine::tell_process(std::size_t number, bool where) {
    if (number < program->processes.size()) {
        touched->add(program->processes[number].tag);
        if (where) {
            touched->add(program->processes[number].location);
        }
    }
}

// Who there is; and where, if that matters.
void Machine::tell_everyone(bool where) {
    const std::size_t end = std::min(live() + 1, program->processes.size());
    for (std::size_t number = 0; number < end; ++number) {
        tell_process(number, where);
    }
}

// Threaded code: each instruction jumps to the next one's handler, so that the processor can predict each jump apart.
template <bool kTold>
Machine::Result Machine::run(std::int32_t block) {
    static const void* const handlers[] = {
#define OP(name, signature) &&do_##name,
#include "vm/opcodes.def"
#undef OP
    };
    const Instruction* const code = program->plan.code.data();
    const Instruction* ins = code + block;
    std::int32_t* const m = cells.data();
    budget = kLoopLimit;

// Arithmetic is done unsigned: it wraps as two's complement does, with nothing undefined.
#define U(x) static_cast<std::uint32_t>(x)
#define I(x) static_cast<std::int32_t>(x)
#define GO                                                                                                             \
    do {                                                                                                               \
        if constexpr (kTold) {                                                                                         \
            if (!tell_cells(*touched, *ins)) {                                                                         \
                tell(*ins);                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
        goto* handlers[ins->op];                                                                                       \
    } while (false)
#define NEXT                                                                                                           \
    do {                                                                                                               \
        ++ins;                                                                                                         \
        GO;                                                                                                            \
    } while (false)
#define RESULT(x)                                                                                                      \
    do {                                                                                                               \
        m[ins->a] = (x);                                                                                               \
        NEXT;                                                                                                          \
    } while (false)
#define BRANCH(condition, target)                                                                                      \
    do {                                                                                                               \
        ins = (condition) ? code + (target) : ins + 1;                                                                 \
        GO;                                                                                                            \
    } while (false)
    GO;

do_SAVE:
    if (frames_.size() - waiting_ >= kCallLimit) {
        return fail(Error::Loop);
    }
    frames_.push_back({ins->a, ins->c, kept_.size()});
    kept_.insert(kept_.end(), m + ins->a, m + ins->a + ins->b);
    NEXT;
do_UNWIND:
    if (frames_.size() == waiting_ || frames_.back().first != ins->a) {
        NEXT;
    }
    std::copy(kept_.begin() + static_cast<std::ptrdiff_t>(frames_.back().cells), kept_.end(), m + ins->a);
    ins = code + frames_.back().resume;
    drop_frames(frames_.size() - 1);
    GO;
do_RETURN_FALSE:
    return kFalse;
do_RETURN_TRUE:
    return kTrue;
do_RETURN_VALUE:
    value = m[ins->a];
    return kTrue;
do_ERROR:
    return fail(static_cast<Error>(ins->a));
do_JUMP:
    ins = code + ins->a;
    GO;
do_LOOP:
    if (--budget < 0) {
        return fail(Error::Loop);
    }
    ins = code + ins->a;
    GO;
do_JUMP_IF:
    BRANCH(m[ins->a] != 0, ins->b);
do_JUMP_IF_NOT:
    BRANCH(m[ins->a] == 0, ins->b);
do_JUMP_EQ:
    BRANCH(m[ins->a] == m[ins->b], ins->c);
do_JUMP_NE:
    BRANCH(m[ins->a] != m[ins->b], ins->c);
do_JUMP_LT:
    BRANCH(m[ins->a] < m[ins->b], ins->c);
do_JUMP_LE:
    BRANCH(m[ins->a] <= m[ins->b], ins->c);
do_MOVE:
    RESULT(m[ins->b]);
do_NEGATE:
    RESULT(I(0u - U(m[ins->b])));
do_NOT:
    RESULT(m[ins->b] == 0);
do_INVERT:
    RESULT(~m[ins->b]);
do_ADD:
    RESULT(I(U(m[ins->b]) + U(m[ins->c])));
do_SUBTRACT:
    RESULT(I(U(m[ins->b]) - U(m[ins->c])));
do_MULTIPLY:
    RESULT(I(U(m[ins->b]) * U(m[ins->c])));
do_DIVIDE:
    if (m[ins->c] == 0) {
        return fail(Error::Division);
    }
    RESULT(m[ins->c] == -1 ? I(0u - U(m[ins->b])) : m[ins->b] / m[ins->c]);
do_MODULO:
    if (m[ins->c] == 0) {
        return fail(Error::Division);
    }
    RESULT(m[ins->c] == -1 ? 0 : m[ins->b] % m[ins->c]);
do_AND:
    RESULT(m[ins->b] & m[ins->c]);
do_OR:
    RESULT(m[ins->b] | m[ins->c]);
do_XOR:
    RESULT(m[ins->b] ^ m[ins->c]);
do_SHIFT_LEFT:
    RESULT(I(U(m[ins->b]) << (U(m[ins->c]) & 31u)));
do_SHIFT_RIGHT:
    RESULT(m[ins->b] >> (U(m[ins->c]) & 31u));
do_MINIMUM:
    RESULT(std::min(m[ins->b], m[ins->c]));
do_MAXIMUM:
    RESULT(std::max(m[ins->b], m[ins->c]));
do_EQUAL:
    RESULT(m[ins->b] == m[ins->c]);
do_NOT_EQUAL:
    RESULT(m[ins->b] != m[ins->c]);
do_LESS:
    RESULT(m[ins->b] < m[ins->c]);
do_LESS_EQUAL:
    RESULT(m[ins->b] <= m[ins->c]);
do_SCALE:
    if (U(m[ins->b]) >= U(ins->d)) {
        return fail(Error::Index);
    }
    RESULT(I(U(m[ins->b]) * U(ins->c)));
do_LOAD_AT:
    if (U(m[ins->b]) >= U(ins->d)) {
        return fail(Error::Index);
    }
    RESULT(m[ins->c + m[ins->b]]);
do_STORE:
    if (!store(ins->a, m[ins->b], ins->c)) {
        return fail(Error::Range);
    }
    NEXT;
do_STORE_AT:
    if (U(m[ins->b]) >= U(ins->d)) {
        return fail(Error::Index);
    }
    if (!store(ins->a + m[ins->b], m[ins->c], ins->e)) {
        return fail(Error::Range);
    }
    NEXT;
do_CHANNEL_LENGTH:
    {
        const ChannelPlace* found = channel(m[ins->b]);
        if (found == nullptr) {
            return kFailed;
        }
        RESULT(length(*found));
    }
do_CHANNEL_CAPACITY:
    {
        const ChannelPlace* found = channel(m[ins->b]);
        if (found == nullptr) {
            return kFailed;
        }
        RESULT(found->capacity);
    }
do_POLL:
    {
        const ChannelPlace* found = channel(m[ins->b]);
        if (found == nullptr) {
            return kFailed;
        }
        RESULT(find_message(*found, m + ins->c, program->pattern_lists[static_cast<std::size_t>(ins->d)],
                            ins->e != 0) >= 0);
    }
do_IN_SET:
    {
        const auto& set = program->location_sets[static_cast<std::size_t>(ins->c)];
        RESULT(U(m[ins->b]) < set.size() && set[static_cast<std::size_t>(m[ins->b])] != 0);
    }
do_AT:
    RESULT(at(*ins));
do_FIND:
    RESULT(find_kind(ins->b));
do_REMOTE:
    RESULT(remote(*ins));
do_NONPROGRESS:
    RESULT(!progress());
do_ENABLED:
    {
        // The question runs other blocks, which may use the same scratch cells: it must not come in the middle of an
        // expression, and compiled programs have it in monitors and goals only. In blocks that are run to answer it, it
        // is never asked again.
        const std::int32_t left = budget;
        const bool first = !asking_;
        asking_ = true;
        const bool answer = first && is_live(m[ins->b]) && can_move && nested([&] { return can_move(m[ins->b]); });
        asking_ = !first;
        budget = left;
        RESULT(answer);
    }
do_LOCATION_OF:
    RESULT(is_live(m[ins->b]) ? m[program->processes[static_cast<std::size_t>(m[ins->b])].location] : 0);
do_PRIORITY_OF:
    {
        const bool known = is_live(m[ins->b]) && program->processes[static_cast<std::size_t>(m[ins->b])].priority >= 0;
        RESULT(known ? m[program->processes[static_cast<std::size_t>(m[ins->b])].priority] : 0);
    }
do_SET_PRIORITY:
    if (is_live(m[ins->a]) && program->processes[static_cast<std::size_t>(m[ins->a])].priority >= 0) {
        set(program->processes[static_cast<std::size_t>(m[ins->a])].priority, std::clamp(m[ins->b], 0, 255));
    }
    NEXT;
do_START:
    if (!start(*ins)) {
        return kFailed;
    }
    NEXT;
#undef U
#undef I
#undef GO
#undef NEXT
#undef RESULT
#undef BRANCH
}

template Machine::Result Machine::run<false>(std::int32_t block);
template Machine::Result Machine::run<true>(std::int32_t block);

} // namespace beeline
