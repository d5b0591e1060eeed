// States of at most 61 bits are kept in the slots of the table themselves.
//
// A bucket is what one access to memory brings: four slots. States are never taken out, so that a search for one ends at
// the first free slot.

#define SLOTS 4u
#define STORED (1ull << 63)
#define MARK(parity) (1ull << (61 + (parity)))
#define PAYLOAD ((1ull << 61) - 1)

STEP uint64_t bucket_of(const Control* c, uint64_t key) { return upper_product(mixed(key), c->buckets); }
STEP uint64_t key_only(const State& t) {
    uint64_t low, high;
    key_of(t, low, high);
    return low;
}

STEP uint64_t index_of(const Control* c, uint64_t position) {
    const uint64_t index = position - c->lap;
    return index >= c->size ? index - c->size : index;
}
STEP void fetch(const Control* c, uint64_t position, State& t) {
    state_of(((const uint64_t*)c->states)[index_of(c, position)], 0, t);
}

// Whether the state was not there before.
STEP bool claim(Control* c, uint64_t key) {
    const uint64_t wanted = key | STORED;
    uint64_t bucket = bucket_of(c, key);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * SLOTS;
        uint64_t seen[SLOTS];
        look_at_pair(slots, seen[0], seen[1]);
        look_at_pair(slots + 2, seen[2], seen[3]);
        for (uint32_t i = 0; i < SLOTS; ++i) {
            if (seen[i] == 0) seen[i] = swap_if(slots + i, 0, wanted);
            if (seen[i] == 0) return true;
            if (seen[i] == wanted) return false;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    c->full = 1;
    return false;
}

// Stores the states of all lanes that have one; whether this lane's is a new one.
STEP bool insert(Control* c, bool valid, const State& t, uint64_t& next) {
    const uint64_t key = valid ? key_only(t) : 0;
    const bool fresh = valid && claim(c, key);
    const uint32_t all = BALLOT(fresh);
    if (all != 0) {
        uint64_t base = 0;
        if (lane_number() == first_lane(all)) base = add_to(&c->next, COUNT(all));
        base = from_lane(base, first_lane(all));
        const uint64_t position = base + rank_in(all);
        if (fresh && position < c->limit) ((uint64_t*)c->states)[index_of(c, position)] = key;
        if (fresh && position >= c->limit) c->full = 1;
        next = base + COUNT(all);
    }
    return fresh;
}

// The slot of a state, or null.
STEP uint64_t* find(const Control* c, const State& t) {
    const uint64_t key = key_only(t);
    uint64_t bucket = bucket_of(c, key);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * SLOTS;
        for (uint32_t i = 0; i < SLOTS; ++i) {
            const uint64_t seen = look(slots + i);
            if (seen == 0) return 0;
            if ((seen & PAYLOAD) == key) return slots + i;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    return 0;
}
STEP bool is_marked(const uint64_t* slot, uint64_t parity) { return (look(slot) & MARK(parity)) != 0; }
STEP bool set_mark(uint64_t* slot, uint64_t parity) { return (set_bits(slot, MARK(parity)) & MARK(parity)) == 0; }

// Puts a slot of the old table into the new one.
STEP void move_slot(Control* c, const uint64_t* slot) {
    if (*slot != 0) claim(c, *slot & PAYLOAD);
}
#define SLOT_NUMBERS 1u
