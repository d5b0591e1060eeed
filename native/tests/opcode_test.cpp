// What an opcode means is written in three places: the machine runs it, the abstract interpreter follows it over sets
// of values, and the code writer says it in C. For every opcode and for values at the edges of arithmetic, all three
// agree, as does the plan that takes the place of simple blocks.
#include "jit/source.hpp"
#include "program/program_space.hpp"
#include "task/abstract_interpreter.hpp"
#include "tests/check.hpp"

#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

using namespace beeline;

namespace {

using Row = std::vector<std::int32_t>;
using Block = std::vector<Instruction>;

constexpr std::array kEdges = {INT_MIN, INT_MIN + 1, -129, -128, -32, -31, -2,  -1,  0,           1,
                               2,       3,           7,    8,    31,  32,  127, 128, INT_MAX - 1, INT_MAX};

// Cells of the state: two processes (tag, location, priority, a local variable), variables, an array, a channel.
enum Cell {
    kTag,
    kLocation,
    kPriority,
    kLocal,
    kOtherTag,
    kOtherLocation,
    kOtherPriority,
    kOtherLocal,
    kX,
    kY,
    kOut,
    kSmall,
    kByte,
    kArray,
    kLength = kArray + 3,
    kContents,
    kStateCells = kContents + 2
};
constexpr std::int32_t kConstants = kStateCells;
constexpr auto kTemporaries = kConstants + static_cast<std::int32_t>(kEdges.size());
constexpr std::int32_t kT0 = kTemporaries, kT1 = kT0 + 1, kTimeout = kT0 + 2, kMessage = kT0 + 3;
constexpr std::int32_t constant(std::size_t edge) { return kConstants + static_cast<std::int32_t>(edge); }

// Domains: every number; a few; a byte and a signed one that wrap; every number, wrapping.
enum DomainNumber { kAll, kFew, kUnsigned, kSigned, kAllWrapping };
const std::vector<Row> kDomains = {
    {INT_MIN, INT_MAX, 0}, {0, 7, 0}, {0, 255, 1}, {-128, 127, 1}, {INT_MIN, INT_MAX, 1}};

Instruction make(Op op, std::int32_t a = 0, std::int32_t b = 0, std::int32_t c = 0, std::int32_t d = 0,
                 std::int32_t e = 0) {
    return {static_cast<std::int32_t>(op), a, b, c, d, e};
}

// A block to run: as the effect of an edge or, if it decides something, as its guard. Jumps are told relative to its
// first instruction.
struct Case {
    Block block;
    bool is_guard = false;
};

bool is_jump(Op op) { return (op >= Op::JUMP && op <= Op::JUMP_LE) || op == Op::SAVE; }
std::int32_t& target_of(Instruction& ins) {
    const auto op = static_cast<Op>(ins.op);
    return op == Op::JUMP || op == Op::LOOP ? ins.a : op == Op::JUMP_IF || op == Op::JUMP_IF_NOT ? ins.b : ins.c;
}

// Keeps a result that the first instruction left in kT0.
Case kept(const Instruction& ins) { return {{ins, make(Op::STORE, kOut, kT0, kAll), make(Op::RETURN_TRUE)}}; }

// Stores 1 if the first instruction jumps, 2 if it does not.
Case jumping(Instruction ins) {
    target_of(ins) = 3;
    return {{ins, make(Op::STORE, kOut, constant(10), kAll), make(Op::RETURN_TRUE),
             make(Op::STORE, kOut, constant(9), kAll), make(Op::RETURN_TRUE)}};
}

void add_arithmetic(std::vector<Case>& cases) {
    for (const Op op : {Op::MOVE, Op::NEGATE, Op::NOT, Op::INVERT}) {
        cases.push_back(kept(make(op, kT0, kX)));
    }
    for (auto op = static_cast<std::int32_t>(Op::ADD); op <= static_cast<std::int32_t>(Op::LESS_EQUAL); ++op) {
        cases.push_back(kept(make(static_cast<Op>(op), kT0, kX, kY)));
        for (std::size_t i = 0; i < kEdges.size(); i += 3) {
            cases.push_back(kept(make(static_cast<Op>(op), kT0, kX, constant(i))));
            cases.push_back(kept(make(static_cast<Op>(op), kT0, constant(i), kX)));
        }
    }
}

void add_control(std::vector<Case>& cases) {
    cases.push_back({{make(Op::RETURN_FALSE)}, true});
    cases.push_back({{make(Op::RETURN_TRUE)}, true});
    cases.push_back({{make(Op::RETURN_VALUE, kX)}, true});
    cases.push_back(
        {{make(Op::EQUAL, kT0, kX, kY), make(Op::JUMP_IF, kT0, 3), make(Op::RETURN_FALSE), make(Op::RETURN_TRUE)},
         true});
    for (std::int32_t error = 0; error < static_cast<std::int32_t>(Error::COUNT); ++error) {
        cases.push_back({{make(Op::ERROR, error), make(Op::RETURN_TRUE)}});
        cases.push_back({{make(Op::JUMP_IF, kX, 2), make(Op::ERROR, error), make(Op::RETURN_TRUE)}, true});
    }
    cases.push_back(jumping(make(Op::JUMP)));
    cases.push_back(jumping(make(Op::JUMP_IF, kX)));
    cases.push_back(jumping(make(Op::JUMP_IF_NOT, kX)));
    for (const Op op : {Op::JUMP_EQ, Op::JUMP_NE, Op::JUMP_LT, Op::JUMP_LE}) {
        cases.push_back(jumping(make(op, kX, kY)));
        cases.push_back(jumping(make(op, kX, constant(7))));
        cases.push_back(jumping(make(op, constant(0), kX)));
    }
    // Calls itself until x is reached: what it kept comes back in the end.
    cases.push_back({{make(Op::MOVE, kT0, constant(8)), make(Op::MOVE, kT1, kT0),
                      make(Op::JUMP_EQ, kT0, constant(12), 7), make(Op::SAVE, kT0, 2, 6),
                      make(Op::ADD, kT0, kT0, constant(9)), make(Op::LOOP, 1), make(Op::ADD, kT1, kT1, constant(9)),
                      make(Op::UNWIND, kT0), make(Op::STORE, kOut, kT1, kAll), make(Op::RETURN_TRUE)}});
    // Counts up to 7: a loop that ends; the code before its entry is a jump to its test.
    cases.push_back({{make(Op::MOVE, kT0, constant(8)), make(Op::JUMP_EQ, kT0, constant(12), 4),
                      make(Op::ADD, kT0, kT0, constant(9)), make(Op::LOOP, 1), make(Op::STORE, kOut, kT0, kAll),
                      make(Op::RETURN_TRUE)}});
}

void add_memory(std::vector<Case>& cases) {
    for (const std::int32_t scale : {1, 3, -1, INT_MAX, INT_MIN}) {
        for (const std::int32_t extent : {1, 3, INT_MAX}) {
            cases.push_back(kept(make(Op::SCALE, kT0, kX, scale, extent)));
        }
    }
    cases.push_back(kept(make(Op::LOAD_AT, kT0, kX, kArray, 3)));
    const auto store = [&](std::int32_t cell, std::int32_t domain) {
        cases.push_back({{make(Op::STORE, cell, kX, domain), make(Op::RETURN_TRUE)}});
    };
    store(kOut, kAll);
    store(kOut, kAllWrapping);
    store(kSmall, kFew);
    store(kByte, kUnsigned);
    store(kOut, kSigned);
    store(kSmall, kAll); // wider than the cell: the engine refuses it
    for (const std::int32_t domain : {kFew, kUnsigned, kSigned, kAllWrapping}) { // into scratch memory
        cases.push_back({{make(Op::STORE, kT0, kX, domain), make(Op::STORE, kOut, kT0, kAll), make(Op::RETURN_TRUE)}});
        cases.push_back({{make(Op::STORE_AT, kArray, kX, kY, 3, domain), make(Op::RETURN_TRUE)}});
    }
    cases.push_back({{make(Op::STORE_AT, kArray, kX, kY, 3, kAll), make(Op::RETURN_TRUE)}});
    cases.push_back({{make(Op::STORE_AT, kT0, kX, kY, 2, kFew), make(Op::RETURN_TRUE)}});
}

void add_questions(std::vector<Case>& cases) {
    for (const std::int32_t channel : {std::int32_t{kX}, constant(9)}) {
        cases.push_back(kept(make(Op::CHANNEL_LENGTH, kT0, channel)));
        cases.push_back(kept(make(Op::CHANNEL_CAPACITY, kT0, channel)));
        for (const std::int32_t pattern : {0, 1}) {
            for (const std::int32_t anywhere : {0, 1}) {
                cases.push_back(kept(make(Op::POLL, kT0, channel, kY, pattern, anywhere)));
            }
        }
    }
    cases.push_back(kept(make(Op::IN_SET, kT0, kX, 0)));
    for (const std::int32_t kind : {0, 1}) {
        cases.push_back(kept(make(Op::AT, kT0, kX, kind, 0)));
        cases.push_back(kept(make(Op::FIND, kT0, kind)));
        cases.push_back(kept(make(Op::REMOTE, kT0, kX, kY, kind, 1)));
    }
    for (const Op op : {Op::ENABLED, Op::LOCATION_OF, Op::PRIORITY_OF}) {
        cases.push_back(kept(make(op, kT0, kX)));
    }
    cases.push_back(kept(make(Op::NONPROGRESS, kT0)));
    cases.push_back({{make(Op::SET_PRIORITY, kX, kY), make(Op::RETURN_TRUE)}});
    cases.push_back(kept(make(Op::START, kT0, 1, kX, 1, kY)));
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    add_arithmetic(cases);
    add_control(cases);
    add_memory(cases);
    add_questions(cases);
    return cases;
}

// A process with a location for each case, where it can take one edge with the case's block; and another process that
// can do nothing, or be started.
Tables tables_of(const std::vector<Case>& cases) {
    const auto count = static_cast<std::int32_t>(cases.size());
    Tables tables;
    auto& rows = tables.rows;
    const Row all = {INT_MIN, INT_MAX};
    rows["cells"] = {{0, 2}, {0, count - 1}, {0, 255}, all, {0, 2}, {0, count - 1}, {0, 255}, all, all, all, all,
                     {0, 7}, {0, 255},       all,      all, all,    {0, 2},         all,      all};
    rows["domains"] = kDomains;
    rows["location_sets"] = {{0, 2, count - 1}};
    rows["pattern_lists"] = {{1}, {0}};
    rows["channels"] = {{kLength, kContents, 2, 0, 0, 0, 1}};
    rows["processes"] = {{kTag, kLocation, kPriority, kTag, kOtherTag},
                         {kOtherTag, kOtherLocation, kOtherPriority, kOtherTag, kX}};
    rows["bodies"] = {{0, 0, 0, kLocal, 1, 0, 0, -1, -1, 0, 0, 0, 0, count},
                      {1, 1, 0, kOtherLocal, 1, 0, 1, -1, -1, 0, 0, 1, count, 1}};
    rows["initial_cells"] = {{kLocal, 0}, {kOtherLocal, 0}};
    for (const char* none : {"monitor", "monitor_edges", "labels", "hidden"}) {
        rows[none] = {};
    }
    for (std::int32_t i = 0; i < count; ++i) {
        const Case& one = cases[static_cast<std::size_t>(i)];
        const auto first = static_cast<std::int32_t>(rows["code"].size());
        for (Instruction ins : one.block) {
            if (is_jump(static_cast<Op>(ins.op))) {
                target_of(ins) += first;
            }
            rows["code"].push_back({ins.op, ins.a, ins.b, ins.c, ins.d, ins.e});
        }
        const std::int32_t guard = one.is_guard ? first : -1;
        const std::int32_t effect = one.is_guard ? -1 : first;
        rows["edges"].push_back({guard, 0, 0, -1, -1, 0, 0, 0, -1, effect, i, 0, 0, 0});
        rows["locations"].push_back({i % 5 == 0 ? kProgress : 0, i, 1});
    }
    rows["locations"].push_back({0, count, 0});
    auto& lists = tables.lists;
    lists["constants"] = Row(kEdges.begin(), kEdges.end());
    lists["field_domains"] = lists["parameter_domains"] = {0};
    lists["goal_reads"] = {};
    lists["initial"] = Row(kStateCells, 0);
    lists["initial"][kTag] = 1;
    tables.numbers = {{"temporaries", 5},         {"network_channels", 1}, {"kinds", 2},    {"timeout_cell", kTimeout},
                      {"message_cell", kMessage}, {"message_cells", 1},    {"control", -1}, {"last", -1},
                      {"monitor_cell", -1},       {"acceptance_sets", 0},  {"goal", -1},    {"flags", 0},
                      {"goal_reads_all", 0}};
    return tables;
}

// Compiled by the system's compiler, with the flags of beeline.jit.compiler.
std::shared_ptr<Tier> compiled(const std::shared_ptr<const Program>& program) {
    const std::filesystem::path base =
        std::filesystem::temp_directory_path() / ("beeline_opcodes_" + std::to_string(getpid()));
    const std::string source = base.string() + ".c", library = base.string() + ".so";
    std::ofstream(source) << native_source(*program);
    const std::string command = "cc -O1 -w -shared -fPIC -fwrapv -fexceptions -o '" + library + "' '" + source + "'";
    auto tier = std::make_shared<Tier>(program);
    const bool done = std::system(command.c_str()) == 0; // NOLINT: the test chose both names
    CHECK(done);
    if (done) {
        tier->load(library);
    }
    std::filesystem::remove(source);
    std::filesystem::remove(library);
    return tier;
}

// Opcodes that the abstract interpreter does not follow, or not always: it may not know what comes out.
bool is_followed(const Case& one) {
    static const std::set<Op> open = {Op::POLL,        Op::FIND,         Op::NONPROGRESS, Op::ENABLED, Op::LOCATION_OF,
                                      Op::PRIORITY_OF, Op::SET_PRIORITY, Op::START,       Op::REMOTE};
    return !open.contains(static_cast<Op>(one.block.front().op));
}

// As CHECK, and names the case.
#define AGREE(condition) agree((condition), __LINE__, #condition)
#define AGREE_EQUAL(a, b) agree((a) == (b), __LINE__, #a " == " #b)

struct Bench {
    explicit Bench(std::vector<Case> given)
        : cases(std::move(given)), program(std::make_shared<const Program>(tables_of(cases))), machine(*program),
          interpreter(*program), bytecode(program, false), native(program, false) {
        bytecode.remember(false);
        native.remember(false);
        native.set_tier(compiled(program));
        machine.can_move = [](std::int32_t pid) { return pid == 0; };
    }

    // The state that the machine's cells are in, expanded with and without native code.
    void check_expansion(std::size_t which, Machine::Result result, const Row& after) {
        std::vector<Word> words(program->words + kSpareWords);
        program->pack(machine.cells.data(), words.data());
        SuccessorBuffer arcs(program->words), others(program->words);
        AGREE_EQUAL(bytecode.expand(words.data(), arcs), native.expand(words.data(), others));
        const bool left_out = result == Machine::kFailed && is_left_out(machine.error);
        AGREE_EQUAL(arcs.size(), result == Machine::kFalse || left_out ? 0u : 1u);
        AGREE_EQUAL(others.size(), arcs.size());
        if (arcs.size() != 1 || others.size() != 1) {
            return;
        }
        for (const SuccessorBuffer* found : {&arcs, &others}) {
            AGREE_EQUAL(found->arc(0).action, which);
            AGREE_EQUAL(found->arc(0).marks, result == Machine::kFailed ? kError : kNone);
            if (result == Machine::kFailed) {
                AGREE_EQUAL(found->arc(0).detail, static_cast<std::uint32_t>(machine.error) + 1);
            } else {
                Row cells(machine.cells);
                program->unpack(found->state(0), cells.data());
                AGREE(std::equal(after.begin(), after.end(), cells.begin()));
                AGREE_EQUAL(found->hash(0), hash_words(found->state(0), program->words));
            }
        }
    }

    void check_interpreter(const Case& one, std::int32_t block, Machine::Result result, const Row& before,
                           const Row& after) {
        for (std::size_t cell = 0; cell < kStateCells; ++cell) {
            interpreter.values[cell] = {before[cell]};
        }
        Row told(before.begin(), before.begin() + kStateCells);
        std::set<std::int32_t> open;
        std::vector<AbstractInterpreter::End> ends;
        interpreter.guessed = false;
        AGREE(interpreter.enumerate(16, [&] {
            ends.push_back(interpreter.run(block));
            for (const AbstractInterpreter::Access& write : interpreter.writes) {
                told[static_cast<std::size_t>(write.cell)] = write.value.value;
                write.value.known ? void(open.erase(write.cell)) : void(open.insert(write.cell));
            }
        }));
        if (is_followed(one)) {
            AGREE(open.empty() && !interpreter.guessed);
            AGREE_EQUAL(ends.size(), 1u);
        }
        if (interpreter.guessed || ends.size() != 1) {
            return;
        }
        AGREE((ends[0] == AbstractInterpreter::End::kFailed) == (result == Machine::kFailed));
        AGREE((ends[0] == AbstractInterpreter::End::kTrue) == (result == Machine::kTrue));
        for (std::int32_t cell = 0; result == Machine::kTrue && cell < kStateCells; ++cell) {
            const bool differs = told[static_cast<std::size_t>(cell)] != after[static_cast<std::size_t>(cell)];
            AGREE(!differs || open.contains(cell) || !is_followed(one));
        }
    }

    void check_state(std::size_t which, const Row& state) {
        under_test = which;
        const Case& one = cases[which];
        std::copy(state.begin(), state.end(), machine.cells.begin());
        const EdgeRow& edge = program->edges[which];
        const std::int32_t block = one.is_guard ? edge.guard : edge.effect;
        const Machine::Result result = machine.run(block);
        const Row after(machine.cells.begin(), machine.cells.begin() + kStateCells);
        const Error error = machine.error;
        machine.undo(0);
        AGREE(std::equal(state.begin(), state.end(), machine.cells.begin()));
        check_interpreter(one, block, result, state, after);
        machine.error = error;
        check_expansion(which, result, after);
    }

    void agree(bool fine, int line, const char* what) const {
        if (!fine) {
            test::note_failure(__FILE__, line, what);
            std::cerr << "    " << op_table()[static_cast<std::size_t>(cases[under_test].block.front().op)].name
                      << " of " << machine.cells[kX] << " and " << machine.cells[kY] << "\n";
        }
    }

    std::size_t under_test = 0;
    std::vector<Case> cases;
    std::shared_ptr<const Program> program;
    Machine machine;
    AbstractInterpreter interpreter;
    ProgramSpace bytecode, native;
};

} // namespace

TEST(machine_plan_interpreter_and_native_code_agree_on_every_opcode) {
    Bench bench(all_cases());
    std::set<std::int32_t> met;
    for (const Case& one : bench.cases) {
        for (const Instruction& ins : one.block) {
            met.insert(ins.op);
        }
    }
    CHECK_EQUAL(met.size(), static_cast<std::size_t>(Op::COUNT));
    std::int32_t turn = 0;
    for (std::size_t which = 0; which < bench.cases.size(); ++which) {
        for (const std::int32_t x : kEdges) {
            for (const std::int32_t y : kEdges) {
                ++turn;
                Row state(kStateCells, 0);
                state[kTag] = 1;
                state[kLocation] = static_cast<std::int32_t>(which);
                state[kPriority] = turn % 256;
                state[kLocal] = turn;
                state[kOtherTag] = turn % 2 == 0 ? 2 : 0;
                state[kOtherLocal] = turn % 2 == 0 ? -turn : 0;
                state[kX] = x;
                state[kY] = y;
                state[kOut] = 77;
                state[kArray] = x;
                state[kArray + 1] = y;
                state[kArray + 2] = turn;
                state[kLength] = turn % 3;
                state[kContents] = turn % 3 > 0 ? turn % 5 : 0;
                state[kContents + 1] = turn % 3 > 1 ? y : 0;
                bench.check_state(which, state);
            }
        }
    }
    CHECK(bench.native.is_native());
}
