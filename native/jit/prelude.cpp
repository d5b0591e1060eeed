#include "jit/prelude.hpp"

#include "jit/interface.hpp"

#include <cstddef>
#include <cstdint>

namespace beeline {

// The structures of interface.hpp, as generated code knows them: the text is compiled here, too, and compared below.
// clang-format off
#define SHARED(...)                                                                                                    \
    namespace generated { using std::int32_t; using std::size_t; using std::uint32_t; using std::uint64_t; __VA_ARGS__ } \
    const char* const kSharedText = #__VA_ARGS__ "\n";

namespace {

SHARED(
struct arc { uint32_t action, marks, detail; };
struct arrays { uint32_t* states; struct arc* arcs; uint64_t* hashes; size_t size, capacity; };
struct change { int32_t cell, before; };
struct changes { struct change* entries; size_t size, capacity; };
struct packing { int32_t cell, low; uint32_t word, shift, mask, keep; };
struct context {
  int32_t* cells; const uint32_t* base; uint64_t sum; struct arrays* out; size_t* arrived;
  struct changes* log; size_t log_mark; const struct packing* places; const uint64_t* keys;
  uint32_t* spare; size_t spare_stride; uint32_t words, marks; int32_t pid, in_place, inside; uint32_t run_action;
  int32_t depth, error, value, keeps, number, fields; const int32_t* message; int32_t* found; void* space;
  void (*grow)(void*);
  void (*grow_log)(void*);
  void (*narrow)(void*, int32_t, int32_t);
  void (*fail)(void*, uint32_t, int32_t);
  int (*run)(void*, struct context*, int32_t);
  int (*synchronise)(void*, int32_t, int32_t);
  int32_t (*hold)(void*, const uint32_t*, uint64_t);
  void (*pass)(void*, int32_t, size_t);
  void (*leave)(void*);
};
struct code_table { int32_t interface, locations; void (*expand)(struct context*); };
)

} // namespace
// clang-format on

#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(generated::theirs))
#define SAME(ours, theirs, field)                                                                                      \
    static_assert(offsetof(ours, field) == offsetof(generated::theirs, field) &&                                       \
                  sizeof(ours::field) == sizeof(generated::theirs::field))

SAME_SIZE(SuccessorBuffer::Arc, arc);
SAME(SuccessorBuffer::Arc, arc, action);
SAME(SuccessorBuffer::Arc, arc, marks);
SAME(SuccessorBuffer::Arc, arc, detail);

SAME_SIZE(SuccessorBuffer::Arrays, arrays);
SAME(SuccessorBuffer::Arrays, arrays, states);
SAME(SuccessorBuffer::Arrays, arrays, arcs);
SAME(SuccessorBuffer::Arrays, arrays, hashes);
SAME(SuccessorBuffer::Arrays, arrays, size);
SAME(SuccessorBuffer::Arrays, arrays, capacity);

SAME_SIZE(Change, change);
SAME(Change, change, cell);
SAME(Change, change, before);

SAME_SIZE(ChangeLog::Arrays, changes);
SAME(ChangeLog::Arrays, changes, entries);
SAME(ChangeLog::Arrays, changes, size);
SAME(ChangeLog::Arrays, changes, capacity);

SAME_SIZE(Packing, packing);
SAME(Packing, packing, cell);
SAME(Packing, packing, low);
SAME(Packing, packing, word);
SAME(Packing, packing, shift);
SAME(Packing, packing, mask);
SAME(Packing, packing, keep);

SAME_SIZE(StepContext, context);
SAME(StepContext, context, cells);
SAME(StepContext, context, base);
SAME(StepContext, context, sum);
SAME(StepContext, context, out);
SAME(StepContext, context, arrived);
SAME(StepContext, context, log);
SAME(StepContext, context, log_mark);
SAME(StepContext, context, places);
SAME(StepContext, context, keys);
SAME(StepContext, context, spare);
SAME(StepContext, context, spare_stride);
SAME(StepContext, context, words);
SAME(StepContext, context, marks);
SAME(StepContext, context, pid);
SAME(StepContext, context, in_place);
SAME(StepContext, context, inside);
SAME(StepContext, context, run_action);
SAME(StepContext, context, depth);
SAME(StepContext, context, error);
SAME(StepContext, context, value);
SAME(StepContext, context, keeps);
SAME(StepContext, context, number);
SAME(StepContext, context, fields);
SAME(StepContext, context, message);
SAME(StepContext, context, found);
SAME(StepContext, context, space);
SAME(StepContext, context, grow);
SAME(StepContext, context, grow_log);
SAME(StepContext, context, narrow);
SAME(StepContext, context, fail);
SAME(StepContext, context, run);
SAME(StepContext, context, synchronise);
SAME(StepContext, context, hold);
SAME(StepContext, context, pass);
SAME(StepContext, context, leave);

SAME_SIZE(CodeTable, code_table);
SAME(CodeTable, code_table, interface);
SAME(CodeTable, code_table, locations);
SAME(CodeTable, code_table, expand);

#undef SAME
#undef SAME_SIZE
#undef SHARED

const std::string kStructures = std::string(R"(#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
)") + kSharedText + R"(struct unit { int (*function)(struct context*, const int32_t*); const int32_t* numbers; };
struct channel { int32_t length, base, capacity, broadcast, first_domain, fields; };
struct domain { int32_t low, high, wrap; };
struct process { int32_t tag, location, first_cell, end_cell; };
struct owned { int32_t first, count; };
struct edge { int32_t target, location, keeps, terminates; };
)";

const char* const kSteps = R"(
static int goal(struct context* x);
static inline int call(struct context* x, const struct unit* unit) { return unit->function(x, unit->numbers); }
static inline int32_t divided(int32_t a, int32_t b) { return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b; }
static inline int32_t remainder_of(int32_t a, int32_t b) { return b == -1 ? 0 : a % b; }
static inline int fits_cell(int32_t cell, int32_t value) { return value >= lowest[cell] && value <= highest[cell]; }

// Changes in the cells, which are logged, and in the words of a target.
static inline void set(struct context* x, int32_t cell, int32_t value) {
  int32_t* place = x->cells + cell;
  if (*place == value) return;
  if (UNLIKELY(x->log->size == x->log->capacity)) x->grow_log(x->space);
  x->log->entries[x->log->size++] = (struct change){cell, *place};
  *place = value;
}
// The same while the log is at hand, with room: nothing is left in it where nothing changes.
static inline struct change* logged(int32_t* m, struct change* l, int32_t cell, int32_t value) {
  int32_t* place = m + cell;
  const int32_t before = *place;
  l->cell = cell; l->before = before;
  *place = value;
  return l + (before != value);
}
static inline struct change* log_room(struct context* x, size_t count) {
  while (UNLIKELY(x->log->capacity - x->log->size < count)) x->grow_log(x->space);
  return x->log->entries + x->log->size;
}
static inline void undo(struct context* x) {
  while (x->log->size > x->log_mark) {
    const struct change* last = x->log->entries + --x->log->size;
    x->cells[last->cell] = last->before;
  }
}
static inline void put(struct context* x, uint32_t* t, uint64_t* s, int32_t cell, int32_t value) {
  const struct packing* p = x->places + cell;
  const uint32_t bits = (uint32_t)value - (uint32_t)p->low, before = t[p->word];
  if (UNLIKELY(bits > p->mask)) x->narrow(x->space, cell, value);
  t[p->word] = (before & p->keep) | bits << p->shift;
  *s += ((uint64_t)t[p->word] - before) * x->keys[p->word];
}
static inline void write(struct context* x, uint32_t* t, uint64_t* s, int32_t cell, int32_t value) {
  if (t) put(x, t, s, cell, value); else set(x, cell, value);
}
static inline void copy_words(const struct context* x, uint32_t* t, const uint32_t* from) {
  for (uint32_t i = 0; i < x->words; i += 4) memcpy(t + i, from + i, 16);
}

// Arcs
static inline uint32_t* room(struct context* x) {
  if (UNLIKELY(x->out->size == x->out->capacity)) x->grow(x->space);
  return x->out->states + x->out->size * x->words;
}
static inline void add_arc(struct context* x, uint32_t action, uint32_t detail, uint64_t sum) {
  const size_t i = x->out->size++;
  const unsigned __int128 product = (unsigned __int128)(sum ^ 0xd1b54a32d192ed03ull) * 0x8cb92ba72f3d8dd7ull;
  x->out->arcs[i] = (struct arc){x->inside ? x->run_action : action, x->marks, detail};
  x->out->hashes[i] = (uint64_t)product ^ (uint64_t)(product >> 64);
  ++*x->arrived;
}
static void fail(struct context* x, uint32_t action) {
  x->fail(x->space, x->inside ? x->run_action : action, x->error);
}

// Processes
static inline int32_t location_of(const struct context* x, int32_t pid) {
  const int32_t first = first_locations[pid * KINDS + x->cells[processes[pid].tag]];
  return first < 0 ? -1 : first + x->cells[processes[pid].location];
}
static inline int is_highest(const struct context* x) {
  return x->pid + 1 == PROCESSES || location_of(x, x->pid + 1) < 0;
}
static int end_process(struct context* x, int32_t pid) {
  const int32_t before = x->pid;
  x->pid = pid;
  const int highest = is_highest(x);
  x->pid = before;
  if (!highest) { x->error = BLOCKED; return 0; }
  for (int32_t cell = processes[pid].first_cell; cell < processes[pid].end_cell; ++cell) set(x, cell, 0);
  return 1;
}

// Channels
// The network's are numbered first, then those of each process in the order of their numbers.
static inline const struct channel* find_channel(struct context* x, int32_t number) {
  if ((uint32_t)number - 1u < NETWORK_CHANNELS) return channels + number - 1;
  int32_t before = NETWORK_CHANNELS;
  for (int32_t pid = 0; HAS_OWNED_CHANNELS && number > before && pid < PROCESSES; ++pid) {
    const int32_t tag = x->cells[processes[pid].tag];
    if (tag <= 0) break;
    const struct owned* own = owned_channels + pid * KINDS + tag;
    if (number <= before + own->count) {
      const struct channel* found = channels + own->first + number - before - 1;
      if ((uint32_t)x->cells[found->length] <= (uint32_t)found->capacity) return found;
      break;
    }
    before += own->count;
  }
  x->error = NO_CHANNEL;
  return 0;
}
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
static inline int fits_fields(struct context* x, const struct channel* c, int32_t* f) {
  for (int32_t i = 0; i < c->fields; ++i) {
    const struct domain* d = domains + field_domains[c->first_domain + i];
    if (f[i] >= d->low && f[i] <= d->high) continue;
    if (!d->wrap) { x->error = OUT_OF_RANGE; return 0; }
    const uint32_t mask = (uint32_t)d->high - (uint32_t)d->low;
    f[i] = (int32_t)(((uint32_t)f[i] - (uint32_t)d->low & mask) + (uint32_t)d->low);
  }
  return 1;
}
static int32_t insertion_point(const struct context* x, const struct channel* c, const int32_t* sent) {
  const int32_t count = x->cells[c->length];
  for (int32_t place = 0; place < count; ++place) {
    const int32_t* stored = x->cells + c->base + place * c->fields;
    for (int32_t i = 0; i < c->fields; ++i) {
      if (stored[i] > sent[i]) return place;
      if (stored[i] < sent[i]) break;
    }
  }
  return count;
}
static inline void put_message(struct context* x, uint32_t* t, uint64_t* s, const struct channel* c, const int32_t* f,
                               int32_t position) {
  const int32_t count = x->cells[c->length], fields = c->fields;
  if (count >= c->capacity) return; // lost
  for (int32_t i = count * fields - 1; i >= position * fields; --i)
    write(x, t, s, c->base + i + fields, x->cells[c->base + i]);
  for (int32_t i = 0; i < fields; ++i) write(x, t, s, c->base + position * fields + i, f[i]);
  write(x, t, s, c->length, count + 1);
}
// An empty place holds what a fresh one does, so that equal states have equal words.
static inline void take_message(struct context* x, uint32_t* t, uint64_t* s, const struct channel* c, int32_t position,
                                int keep) {
  const int32_t count = x->cells[c->length], fields = c->fields;
  for (int32_t i = 0; i < fields; ++i) x->cells[MESSAGE + i] = x->cells[c->base + position * fields + i];
  if (keep) return;
  for (int32_t i = position * fields; i < (count - 1) * fields; ++i)
    write(x, t, s, c->base + i, x->cells[c->base + i + fields]);
  for (int32_t i = (count - 1) * fields; i < count * fields; ++i) {
    const int32_t cell = c->base + i;
    write(x, t, s, cell, lowest[cell] > 0 ? lowest[cell] : highest[cell] < 0 ? highest[cell] : 0);
  }
  write(x, t, s, c->length, count - 1);
}

// What is written after every step whatever its edge is.
static inline void finish(struct context* x, uint32_t* t, uint64_t* s) {
  if (x->inside) put(x, t, s, CONTROL, -1);
  if (LAST >= 0) put(x, t, s, LAST, x->pid);
  for (int32_t i = 0; i < HIDDEN; ++i) put(x, t, s, hidden[2 * i], hidden[2 * i + 1]);
}

// The base with what was logged since; returns the sum of its hash.
static uint64_t patch(struct context* x, uint32_t* t) {
  uint64_t s = x->sum;
  copy_words(x, t, x->base);
  for (size_t i = x->log_mark; i < x->log->size; ++i) {
    const int32_t cell = x->log->entries[i].cell;
    put(x, t, &s, cell, x->cells[cell]);
  }
  return s;
}

// The same for a step that ends here: takes back from the last change to the first what it writes into the target, where
// changes of one cell add up. What a cell holds in between need not fit.
static int changes_again(const struct change* change, const struct change* end) {
  const int32_t cell = change->cell;
  while (++change < end) if (change->cell == cell) return 1;
  return 0;
}
static uint64_t move_changes(struct context* x, uint32_t* t) {
  uint64_t s = x->sum;
  int32_t* m = x->cells;
  const struct packing* places = x->places;
  const uint64_t* keys = x->keys;
  const struct change *first = x->log->entries + x->log_mark, *end = x->log->entries + x->log->size;
  copy_words(x, t, x->base);
  for (const struct change* l = end; l-- != first;) {
    const struct packing* p = places + l->cell;
    const int32_t now = m[l->cell];
    if (UNLIKELY((uint32_t)now - (uint32_t)p->low > p->mask) && !changes_again(l, end)) {
      x->log->size = (size_t)(l + 1 - x->log->entries);
      x->narrow(x->space, l->cell, now);
    }
    const uint64_t more = (uint64_t)((int64_t)now - l->before) << p->shift;
    t[p->word] += (uint32_t)more;
    s += more * keys[p->word];
    m[l->cell] = l->before;
  }
  x->log->size = x->log_mark;
  return s;
}
static uint32_t marks_of_target(struct context* x) {
  for (size_t i = x->log_mark; HAS_GOAL && i < x->log->size; ++i)
    if (goal_reads[x->log->entries[i].cell]) return goal(x) ? GOAL : 0;
  return x->marks;
}
// Where nobody can be given control, every step ends at once.
static void arrive(struct context* x, uint32_t action) {
  if (LAST >= 0) set(x, LAST, x->pid);
  const uint32_t marks = marks_of_target(x);
  uint32_t* const t = room(x);
  uint64_t s = move_changes(x, t);
  for (int32_t i = 0; i < HIDDEN; ++i) put(x, t, &s, hidden[2 * i], hidden[2 * i + 1]);
  add_arc(x, action, 0, s);
  x->out->arcs[x->out->size - 1].marks = marks;
}

// A process has just been given control, in the state t. Goes on with it; 0 if it cannot.
static int go_on(struct context* x, uint32_t action, uint32_t* t, uint64_t sum, int32_t location) {
  const struct context before = *x;
  if (x->depth >= MOST_NESTED) x->leave(x->space);
  const size_t arrived = *x->arrived;
  const int32_t held = meeting[location] ? x->hold(x->space, t, sum) : 0;
  if (held < 0) return 1;
  x->base = t; x->sum = sum; x->log_mark = x->log->size; ++x->depth;
  if (!x->inside) { x->inside = 1; x->run_action = action; }
  const int free = !provided[location].function || call(x, provided + location) == 1;
  const int able = free && steps[location].function && call(x, steps + location);
  x->base = before.base; x->sum = before.sum; x->log_mark = before.log_mark; x->depth = before.depth;
  x->inside = before.inside; x->run_action = before.run_action;
  if (meeting[location]) x->pass(x->space, held, able ? *x->arrived - arrived : 0);
  return able;
}

// The step is taken in the cells: decides who goes on alone, and writes the arc.
static void settle(struct context* x, uint32_t action, uint32_t detail, int keeps, int32_t location) {
  uint32_t* t;
  uint64_t s;
  if (LAST >= 0) set(x, LAST, x->pid);
  if (keeps) {
    uint32_t* middle = x->spare + x->depth * x->spare_stride;
    set(x, CONTROL, x->pid);
    s = patch(x, middle);
    if (go_on(x, action, middle, s, location)) return;
    t = room(x);
    copy_words(x, t, middle);
    put(x, t, &s, CONTROL, -1);
  } else {
    t = room(x);
    s = patch(x, t);
    if (x->inside) put(x, t, &s, CONTROL, -1);
  }
  for (int32_t i = 0; i < HIDDEN; ++i) put(x, t, &s, hidden[2 * i], hidden[2 * i + 1]);
  add_arc(x, action, detail, s);
}

// Follows first possible edges through a region that is deterministic.
static int run_straight(struct context* x, int32_t* location, int* keeps) {
  for (int32_t moves = 0; moves < LOOP_LIMIT; ++moves) {
    *location = call(x, straight + *location);
    if (*location < 0) return 0;
    *keeps = x->keeps;
    if (*location >= LOCATIONS || !straight[*location].function) return 1;
  }
  x->error = ENDLESS;
  return 0;
}

static int synchronise(struct context* x, int32_t edge) {
  if (x->inside) x->leave(x->space);
  return x->synchronise(x->space, x->pid, edge);
}

// A handshake of edge `first` of this process with `second` of another one.
static int shake(struct context* x, int32_t first, int32_t other, int32_t second, int32_t fields, const int32_t* f) {
  const int32_t own = x->pid, parts[2] = {first, second}, pids[2] = {own, other};
  int32_t location = 0;
  int keeps = 0, fine = 1;
  for (int32_t i = 0; i < fields; ++i) x->cells[MESSAGE + i] = f[i];
  x->pid = other;
  if (binds[second].function) fine = call(x, binds + second) >= 0;
  for (int i = 0; fine && i < 2; ++i) {
    const int turn = RECEIVERS_FIRST ? 1 - i : i;
    x->pid = pids[turn];
    if (effects[parts[turn]].function) fine = call(x, effects + parts[turn]) >= 0;
  }
  for (int i = 0; fine && i < 2; ++i) {
    set(x, processes[pids[i]].location, edges[parts[i]].target);
    if (edges[parts[i]].terminates) fine = end_process(x, pids[i]);
  }
  for (int i = 0; fine && i < 2; ++i) {
    x->pid = pids[i];
    location = edges[parts[i]].location;
    keeps = edges[parts[i]].keeps;
    if (location < LOCATIONS && straight[location].function) fine = run_straight(x, &location, &keeps);
  }
  if (fine) settle(x, first, second + 1, keeps, location);
  x->pid = own;
  undo(x);
  if (!fine) fail(x, first);
  return 1;
}

// A message is offered to everyone who listens to the channel.
static int offer(struct context* x, int32_t edge, const struct channel* c, int32_t number, const int32_t* f) {
  const int32_t own = x->pid;
  int32_t found[MOST_EDGES];
  int any = 0;
  for (int32_t other = 0; other < PROCESSES; ++other) {
    const int32_t there = location_of(x, other);
    if (there < 0) break;
    if (other == own || !listening[there].function) continue;
    x->pid = other; x->number = number; x->fields = c->fields; x->message = f; x->found = found;
    const int count = call(x, listening + there);
    x->pid = own;
    if (count < 0) { fail(x, edge); any = 1; }
    for (int i = 0; i < count; ++i) any = shake(x, edge, other, found[i], c->fields, f);
  }
  return any;
}

// The steps of some processes; 0 if one of them is not there, nor are those behind it.
static int expand_some(struct context* x, int32_t pid, int32_t end) {
  for (; pid < end; ++pid) {
    const int32_t location = location_of(x, pid);
    if (location < 0) return 0;
    x->pid = pid;
    if (!steps[location].function || (provided[location].function && call(x, provided + location) != 1)) continue;
    call(x, steps + location);
  }
  return 1;
}
)";

} // namespace beeline
