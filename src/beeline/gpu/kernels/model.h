// How generated code reads and changes the packed words of a state.

enum Answer { LEFT = -2, FAILED = -1, NO = 0, YES = 1, KEEPS = 3 };

struct State {
    uint32_t w[WORDS];
};
struct Message {
    int32_t f[FIELDS];
};

#define CELL(word, shift, mask, low) ((int32_t)((t.w[word] >> (shift) & (mask)) + (low)))
#define PUT(word, shift, mask, low, value)                                                                             \
    do {                                                                                                               \
        const uint32_t down = (uint32_t)(shift), bits = (uint32_t)(value) - (low);                                     \
        t.w[word] = (t.w[word] & ~((mask) << down)) | bits << down;                                                    \
    } while (0)
// All messages of a channel, which are `region` when shifted to the right, move up by one.
#define SHIFT_DOWN(word, first, region, distance)                                                                      \
    t.w[word] = (t.w[word] & ~((region) << (first))) | (t.w[word] >> (first) & (region)) >> (distance) << (first)

// Values that the layout has no bits for, by cell: the last of each, or of several that share a place.
#define NOTES 64u
GLOBAL uint64_t narrow_values[NOTES], narrow_cells[NOTES];
GLOBAL uint32_t is_too_narrow;
STEP void note_narrow(uint32_t cell, int32_t value) {
    narrow_values[cell % NOTES] = (uint32_t)value;
    narrow_cells[cell % NOTES] = cell + 1u;
    is_too_narrow = 1;
}
#define TOO_NARROW(cell, value) note_narrow(cell, value)
// For the host, at the end of a launch.
STEP void tell_narrow(Control* c) {
    if (is_too_narrow == 0 || lane_number() != 0)
        return;
    uint64_t* const notes = (uint64_t*)c->notes;
    for (uint32_t i = 0; i < NOTES; ++i)
        notes[i] = narrow_cells[i], notes[NOTES + i] = narrow_values[i];
    c->narrow = 1;
}

// Estimates: rows of tables, and what is made of their entries.
#define DEAD_END 0x7fffffff
STEP int32_t look_up(const int32_t* entry) { return (int32_t)look((const uint32_t*)entry); }
STEP int32_t entry(const int32_t* row, uint32_t size, uint32_t index, int32_t otherwise) {
    return index < size ? look_up(row + index) : otherwise;
}
STEP int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }
STEP int32_t larger(int32_t a, int32_t b) { return a < b ? b : a; }
STEP int32_t added(int32_t a, int32_t b) {
    return a == DEAD_END || b == DEAD_END ? DEAD_END : a > DEAD_END - 1 - b ? DEAD_END - 1 : a + b;
}
// Of two states of an abstraction; negative ones are none.
STEP int32_t pair_entry(const int32_t* row, int32_t left, int32_t right, int32_t columns) {
    return left < 0 || right < 0 ? smaller(left, right) : look_up(row + (uint64_t)left * (uint32_t)columns + right);
}

#define QUEUE 64u // targets that can wait: fewer than a warp's are left over, and a warp's come at most

// A state that is expanded, one in each lane.
struct Lane {
    bool active, left, committed;
    int32_t only, timeout; // the process that alone may move, or -1
    uint32_t arcs, errors;
    bool dead; // a deadlock
    // Where a monitor watches: whether it looks at this state, its moves as bits, and whether the network has a step.
    bool watched, moved;
    uint64_t moves;
#if defined(WALKS)
    State chosen; // one of the targets
    uint64_t random;
#else
    uint32_t source; // the state's position from the first of this launch on
    uint32_t waiting, mode;
    struct Warp* warp;
    Control* control;
#endif
};
STEP void arrive(Lane& x, int r, const State& t);
// Takes the targets of lanes that have one.
STEP void emit(Lane& x, bool there, const State& t);
