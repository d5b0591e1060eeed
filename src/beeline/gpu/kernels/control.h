// What the host and the kernels tell each other. All fields are 64-bit numbers; beeline.gpu.control reads their names
// here.

struct Control {
    // The table: its slots, and how many buckets of them there are. While it is enlarged, the one before.
    uint64_t slots, buckets, old_slots, old_buckets;
    // States by position, in the order of layers; a position in the lap that begins at `lap` is an index as it is, or
    // less the `size` of the ring.
    uint64_t states, size, lap;
    // The positions that are to be expanded, the next one to be taken, and the one after the last stored state.
    uint64_t first, end, cursor, next;
    // No states are taken any more when so many are stored, and none can be stored beyond `limit`.
    uint64_t room, limit;
    // What is done with the states that are expanded; whether the first of those that are to be marked is told instead
    // (parents are then those of the first state given by the host), and its position.
    uint64_t mode, parity, finds, origin;
    // Several layers in one go: how many are done and the positions where each ended, what ends the search (as marks),
    // the size from which on a layer is for the host to share out, and whether the host has to look.
    uint64_t layers, ends, stop, large, halt;
    // Counts of this launch.
    uint64_t generated, errors, deadlocks, goals, transient, fresh, marked;
    // Positions of states whose steps the host must find, how many, and how many there can be.
    uint64_t left, left_count, left_room;
    // Something had no room; the layout has no bits for values, which are written to `notes`: cells and one, then
    // values.
    uint64_t full, narrow, notes;
    // Searches that go by an estimate: the tables it is looked up in, the steps to the states that are found now, the
    // most steps that a way may have in all, the fewest of those that were passed over, and how many a way through a
    // dead end counts as.
    uint64_t tables, level, bound, least, dead_end;
    // States given by the host, their number, and an answer for each.
    uint64_t input, count, output;
    // Several devices: how many there are, the number of this one, the states that it found for each of the others, how
    // many those are, how many may be there when no states are taken any more, and how many there is room for.
    uint64_t devices, own, outbox, sent, sent_room, sent_limit;
    // Random walks, by number: the steps of the shortest ones, the number that all chance is made from, how many steps
    // were made, and the best violation: its steps, and the number of its walk.
    uint64_t length, seed, steps, found;
};

enum Mark { GOAL = 1, ERROR = 2, DEADLOCK = 4 };
enum Mode { SEARCH = 0, MARK_DEADLOCKS = 1, MARK_VIOLATORS = 2, MARK_PARENTS = 3, PROBE = 4 };
// Of passes over all states that look for cycles.
enum Pass { FIRST_PASS = 5, CLOSE = 5, TRIM = 6, FOLLOW = 7 };
enum Marking { MARK_ALL = 0, KEEP_FOUND = 1, MARK_NONE = 2 };
