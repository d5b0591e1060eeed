#include "tier/source.hpp"

#include "tier/block_writer.hpp"
#include "tier/interface.hpp"
#include "tier/step_writer.hpp"

#include <vector>

namespace beeline {

namespace {

// The structures of tier/interface.hpp, and what all steps use.
constexpr const char* kPrelude = R"(#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define FAIL(kind) (*error = (kind), -1)

struct arc { uint32_t action, marks, detail; };
struct arrays { uint32_t* states; struct arc* arcs; uint64_t* hashes; size_t size, capacity; };
struct context {
  int32_t* cells; const uint32_t* origin; uint64_t sum; struct arrays* out; size_t* arrived; uint32_t marks; int32_t pid; void* space;
  void (*grow)(void*);
  void (*narrow)(void*, int32_t, int32_t);
  void (*fail)(void*, int32_t, int32_t);
  int (*guard)(void*, int32_t, int32_t);
  int (*synchronise)(void*, int32_t, int32_t);
};
struct channel { int32_t length, base, capacity, fields; };
struct packing { int32_t low; uint32_t word, shift, mask, keep; };
typedef int (*block_function)(int32_t*, int32_t*, int32_t*);
typedef int (*step_function)(struct context*);
struct code_table {
  int32_t interface, locations, blocks;
  const step_function* steps; const int32_t* block_positions; const block_function* block_functions;
};

static inline int32_t divided(int32_t a, int32_t b) { return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b; }
static inline int32_t remainder_of(int32_t a, int32_t b) { return b == -1 ? 0 : a % b; }
static inline int32_t find_message(const int32_t* m, const struct channel* c, const int32_t* wanted,
                                   const uint8_t* pattern, int32_t count, int anywhere) {
  int32_t messages = m[c->length], compared = count < c->fields ? count : c->fields;
  if (!anywhere && messages > 1) messages = 1;
  for (int32_t i = 0; i < messages; ++i) {
    const int32_t* message = m + c->base + i * c->fields;
    int equal = 1;
    for (int32_t j = 0; equal && j < compared; ++j) equal = !pattern[j] || message[j] == wanted[j];
    if (equal) return i;
  }
  return -1;
}
static inline uint32_t* room(struct context* x) {
  if (UNLIKELY(x->out->size == x->out->capacity)) x->grow(x->space);
  return x->out->states + x->out->size * WORDS;
}
static inline void copy_words(uint32_t* restrict t, const uint32_t* restrict o) { memcpy(t, o, WORDS * 4); }
static inline void add_arc(struct context* x, uint32_t action, uint64_t sum) {
  const size_t i = x->out->size++;
  unsigned __int128 product = (unsigned __int128)(sum ^ 0xd1b54a32d192ed03ull) * 0x8cb92ba72f3d8dd7ull;
  x->out->arcs[i] = (struct arc){action, x->marks, 0};
  x->out->hashes[i] = (uint64_t)product ^ (uint64_t)(product >> 64);
  ++*x->arrived;
}
)";

// Those that need the layout.
constexpr const char* kPuts = R"(
static inline uint64_t put_at(struct context* x, uint32_t* restrict t, int32_t cell, int32_t value) {
  const struct packing* p = packings + cell;
  const uint32_t bits = (uint32_t)value - (uint32_t)p->low, before = t[p->word];
  if (UNLIKELY(bits > p->mask)) x->narrow(x->space, cell, value);
  t[p->word] = (before & p->keep) | bits << p->shift;
  return ((uint64_t)t[p->word] - before) * keys[p->word];
}
static inline int32_t empty_value(int32_t cell) {
  return lowest[cell] > 0 ? lowest[cell] : highest[cell] < 0 ? highest[cell] : 0;
}
static inline uint64_t remove_message(struct context* x, uint32_t* restrict t, int32_t base, int32_t count,
                                      int32_t fields, int32_t first) {
  const int32_t* contents = x->cells + base;
  const int32_t last = (count - 1) * fields;
  uint64_t s = 0;
  for (int32_t i = first; i < last; ++i) s += put_at(x, t, base + i, contents[i + fields]);
  for (int32_t i = last; i < last + fields; ++i) s += put_at(x, t, base + i, empty_value(base + i));
  return s;
}
)";

template <class Rows, class Write>
std::string table(const char* type, const std::string& name, const Rows& rows, Write&& write, const char* last = "0") {
    std::string text = say("static const ", type, " ", name, "[] = {");
    for (const auto& row : rows) {
        text += say(write(row), ", ");
    }
    return text + last + "};\n"; // C knows no empty ones
}

std::string tables(const Program& program) {
    const auto channel = [](const ChannelPlace& c) {
        return say("{", c.length, ", ", c.base, ", ", c.capacity, ", ", c.fields, "}");
    };
    const auto packing = [](const Packing& p) {
        return say("{", number(p.low), ", ", p.word, ", ", p.shift, ", ", p.mask, "u, ", p.keep, "u}");
    };
    const auto key = [](std::uint64_t k) { return say(k, "ull"); };
    const auto digit = [](auto value) { return say(value != 0 ? "1" : "0"); };
    std::string text = table("struct channel", "channels", program.channels, channel, "{0}");
    text += table("struct packing", "packings", program.packing, packing, "{0}");
    text += table("uint64_t", "keys", program.hash_keys, key);
    text += table("int32_t", "lowest", program.low, number);
    text += table("int32_t", "highest", program.high, number);
    for (std::size_t i = 0; i < program.location_sets.size(); ++i) {
        text += table("uint8_t", say("set", i), program.location_sets[i], digit);
    }
    for (std::size_t i = 0; i < program.pattern_lists.size(); ++i) {
        text += table("uint8_t", say("pattern", i), program.pattern_lists[i], digit);
    }
    return text;
}

// Blocks that are run whatever location a process is at, and those that steps leave to the engine.
void write_blocks(const Program& program, BlockWriter& blocks) {
    const auto write = [&](std::int32_t block) {
        if (block >= 0) {
            blocks.write(block);
        }
    };
    write(program.goal);
    for (const Body& body : program.bodies) {
        write(body.provided);
    }
    for (const MonitorEdge& edge : program.monitor_edges) {
        write(edge.guard);
    }
    for (std::size_t i = 0; i < program.edges.size(); ++i) {
        write(program.plan.edges[i].guard);
        write(program.edges[i].channel_block);
        write(program.plan.edges[i].first_source < 0 ? program.edges[i].values_block : -1);
    }
    for (const Assignment& assignment : program.plan.assignments) {
        write(assignment.compute);
    }
}

} // namespace

std::string native_source(const Program& program) {
    BlockWriter blocks(program);
    StepWriter steps(program, blocks);
    std::vector<std::string> functions(program.locations.size(), "0");
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const LocationPlan& plan = program.plan.locations[i];
        if (plan.first_edge != plan.end_edge) {
            steps.write(static_cast<std::int32_t>(i));
            functions[i] = say("steps", i);
        }
    }
    write_blocks(program, blocks);
    std::string text = say("#define WORDS ", program.words, "\n", kPrelude, tables(program), kPuts);
    text += say(blocks.text(), steps.text());
    text += table("step_function", "step_functions", functions, [](const std::string& name) { return name; });
    text += table("int32_t", "block_positions", blocks.written(), [](std::int32_t block) { return say(block); });
    text +=
        table("block_function", "block_functions", blocks.written(), [](std::int32_t b) { return say("block", b); });
    return text + say("const struct code_table beeline_code = {", kInterface, ", ", functions.size(), ", ",
                      blocks.written().size(), ", step_functions, block_positions, block_functions};\n");
}

} // namespace beeline
