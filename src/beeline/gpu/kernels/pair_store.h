// States of at most 122 bits are kept in the slots of the table themselves, in two numbers that are swapped at once.
//
// A bucket is what one access to memory brings: two slots. States are never taken out, so that a search for one ends at
// the first free slot.

#define SLOTS 2u
#define STORED (1ull << 63)
#define MARK(parity) (1ull << (61 + (parity)))
#define PAYLOAD ((1ull << 61) - 1)

STEP uint64_t bucket_of(const Control* c, uint64_t low, uint64_t high) {
    return upper_product(mixed(low ^ mixed(high)), c->buckets);
}

STEP uint64_t index_of(const Control* c, uint64_t position) {
    const uint64_t index = position - c->lap;
    return index >= c->size ? index - c->size : index;
}
STEP void fetch(const Control* c, uint64_t position, State& t) {
    uint64_t low, high;
    look_at_pair((const uint64_t*)c->states + 2 * index_of(c, position), low, high);
    state_of(low, high, t);
}

// Whether the state was not there before.
STEP bool claim(Control* c, uint64_t low, uint64_t high) {
    const uint64_t wanted = low | STORED;
    uint64_t bucket = bucket_of(c, low, high);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * (2 * SLOTS);
        uint64_t first[SLOTS], second[SLOTS];
#pragma unroll
        for (uint32_t i = 0; i < SLOTS; ++i) look_at_pair(slots + 2 * i, first[i], second[i]);
#pragma unroll
        for (uint32_t i = 0; i < SLOTS; ++i) {
            if (first[i] == 0) {
                first[i] = wanted;
                second[i] = high;
                swap_pair_if_empty(slots + 2 * i, first[i], second[i]);
                if (first[i] == 0) return true;
            }
            if (first[i] == wanted && second[i] == high) return false;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    c->full = 1;
    return false;
}

// Stores the states of all lanes that have one; whether this lane's is a new one.
STEP bool insert(Control* c, bool valid, const State& t, uint64_t& next) {
    uint64_t low, high;
    key_of(t, low, high);
    const bool fresh = valid && claim(c, low, high);
    const uint32_t all = BALLOT(fresh);
    if (all != 0) {
        uint64_t base = 0;
        if (lane_number() == first_lane(all)) base = add_to(&c->next, COUNT(all));
        base = from_lane(base, first_lane(all));
        const uint64_t position = base + rank_in(all);
        if (fresh && position < c->limit) {
            uint64_t* const place = (uint64_t*)c->states + 2 * index_of(c, position);
            place[0] = low;
            place[1] = high;
        }
        if (fresh && position >= c->limit) c->full = 1;
        next = base + COUNT(all);
    }
    return fresh;
}

// The slot of a state, or null.
STEP uint64_t* find(const Control* c, const State& t) {
    uint64_t low, high;
    key_of(t, low, high);
    uint64_t bucket = bucket_of(c, low, high);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * (2 * SLOTS);
        for (uint32_t i = 0; i < SLOTS; ++i) {
            uint64_t first, second;
            look_at_pair(slots + 2 * i, first, second);
            if (first == 0) return 0;
            if ((first & PAYLOAD) == low && second == high) return slots + 2 * i;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    return 0;
}
STEP bool is_marked(const uint64_t* slot, uint64_t parity) { return (look(slot) & MARK(parity)) != 0; }
STEP bool set_mark(uint64_t* slot, uint64_t parity) { return (set_bits(slot, MARK(parity)) & MARK(parity)) == 0; }

// Puts a slot of the old table into the new one.
STEP void move_slot(Control* c, const uint64_t* slot) {
    if (slot[0] != 0) claim(c, slot[0] & PAYLOAD, slot[1]);
}
#define SLOT_NUMBERS 2u
