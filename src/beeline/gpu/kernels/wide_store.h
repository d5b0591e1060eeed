// States of any size lie one after the other in memory, in the order in which they were found; the slots of the table
// have their positions, and bits of their hashes by which most that differ are told apart.
//
// Whoever finds a free slot claims it with a note that its state is yet to come, and then writes the state; those who
// look for a state with the same bits come back.

#define SLOTS 4u
#define POSITION_BITS 38
#define PAYLOAD ((1ull << POSITION_BITS) - 1)
#define TO_COME PAYLOAD
#define MARK(parity) (1ull << (POSITION_BITS + (parity)))
#define TAG(hash) ((hash) << (POSITION_BITS + 2) | 1ull << 63)

STEP uint64_t hash_of(const State& t) {
    uint64_t sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        sum = (sum ^ t.w[i]) * 0x9e3779b97f4a7c15ull + (sum >> 29);
    return mixed(sum);
}
STEP uint64_t tag_of(uint64_t hash) { return TAG(hash) & ~(PAYLOAD | MARK(0) | MARK(1)); }

STEP void fetch(const Control* c, uint64_t position, State& t) {
    const uint32_t* const words = (const uint32_t*)c->states + position * WORDS;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        t.w[i] = words[i];
}
STEP bool is_at(const Control* c, uint64_t position, const State& t) {
    const uint32_t* const words = (const uint32_t*)c->states + position * WORDS;
    bool same = true;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        same = same && look(words + i) == t.w[i];
    return same;
}

// Stores the states of all lanes that have one; whether this lane's is a new one. `next` is then the position after
// them.
STEP bool insert(Control* c, bool valid, const State& t, uint64_t& next) {
    const uint64_t hash = hash_of(t), tag = tag_of(hash);
    uint64_t bucket = upper_product(hash, c->buckets), probes = 0;
    bool looking = valid, fresh = false;
    while (VOTE(looking)) {
        uint64_t* slot = 0;
        if (looking) {
            uint64_t* const slots = (uint64_t*)c->slots + bucket * SLOTS;
            uint64_t seen[SLOTS];
            look_at_pair(slots, seen[0], seen[1]);
            look_at_pair(slots + 2, seen[2], seen[3]);
            bool again = false;
            for (uint32_t i = 0; i < SLOTS && looking && !again && slot == 0; ++i) {
                if (seen[i] == 0) {
                    seen[i] = swap_if(slots + i, 0, tag | TO_COME);
                    if (seen[i] == 0)
                        slot = slots + i;
                }
                if (slot == 0 && (seen[i] & ~PAYLOAD) == tag) {
                    again = (seen[i] & PAYLOAD) == TO_COME;
                    if (!again && is_at(c, seen[i] & PAYLOAD, t))
                        looking = false;
                }
            }
            if (looking && !again && slot == 0) {
                bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
                if (++probes == c->buckets) {
                    c->full = 1;
                    looking = false;
                }
            }
        }
        const uint32_t all = BALLOT(slot != 0);
        if (all != 0) {
            uint64_t base = 0;
            if (lane_number() == first_lane(all))
                base = add_to(&c->next, COUNT(all));
            base = from_lane(base, first_lane(all));
            next = base + COUNT(all);
            if (slot != 0) {
                const uint64_t position = base + rank_in(all);
                if (position < c->limit) {
                    uint32_t* const words = (uint32_t*)c->states + position * WORDS;
#pragma unroll
                    for (uint32_t i = 0; i < WORDS; ++i)
                        words[i] = t.w[i];
                } else {
                    c->full = 1;
                }
                publish();
                *(volatile uint64_t*)slot = tag | (position < c->limit ? position : 0);
                fresh = true;
                looking = false;
            }
        }
        SYNC_WARP();
    }
    return fresh;
}

STEP uint64_t* find(const Control* c, const State& t) {
    const uint64_t hash = hash_of(t), tag = tag_of(hash);
    uint64_t bucket = upper_product(hash, c->buckets);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * SLOTS;
        for (uint32_t i = 0; i < SLOTS; ++i) {
            const uint64_t seen = look(slots + i);
            if (seen == 0)
                return 0;
            if ((seen & ~(PAYLOAD | MARK(0) | MARK(1))) == tag && is_at(c, seen & PAYLOAD, t))
                return slots + i;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    return 0;
}
STEP bool is_marked(const uint64_t* slot, uint64_t parity) { return (look(slot) & MARK(parity)) != 0; }
STEP bool set_mark(uint64_t* slot, uint64_t parity) { return (set_bits(slot, MARK(parity)) & MARK(parity)) == 0; }
STEP bool drop_mark(uint64_t* slot, uint64_t parity) { return (keep_bits(slot, ~MARK(parity)) & MARK(parity)) != 0; }
STEP uint64_t* slot_at(const Control* c, uint64_t number) { return (uint64_t*)c->slots + number; }

// Puts a slot of the old table into the new one.
STEP void move_slot(Control* c, uint64_t number) {
    const uint64_t old = ((const uint64_t*)c->old_slots)[number];
    if (old == 0)
        return;
    State t;
    fetch(c, old & PAYLOAD, t);
    uint64_t bucket = upper_product(hash_of(t), c->buckets);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = (uint64_t*)c->slots + bucket * SLOTS;
        for (uint32_t i = 0; i < SLOTS; ++i) {
            if (look(slots + i) == 0 && swap_if(slots + i, 0, old) == 0)
                return;
        }
        bucket = bucket + 1 == c->buckets ? 0 : bucket + 1;
    }
    c->full = 1;
}

STEP bool insert(Control* c, bool valid, const State& t) {
    uint64_t next = 0;
    return insert(c, valid, t, next);
}

// Targets are stored as they come.
struct Store {
    uint32_t words[WORDS][LANES];
    uint32_t asking;
};
STEP void open_store(Store& w) { w.asking = 0; }
STEP void ask(Control*, Store& w, bool valid, const State& t) {
    const uint32_t all = BALLOT(valid);
    const uint32_t place = rank_in(all);
    if (valid) {
#pragma unroll
        for (uint32_t i = 0; i < WORDS; ++i)
            w.words[i][place] = t.w[i];
    }
    if (lane_number() == 0)
        w.asking = COUNT(all);
    SYNC_WARP();
}
STEP uint64_t answer(Control* c, Store& w, bool& fresh, State& t) {
    uint64_t next = 0;
    const bool valid = lane_number() < w.asking;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        t.w[i] = w.words[i][lane_number()];
    fresh = insert(c, valid, t, next);
    SYNC_WARP();
    if (lane_number() == 0)
        w.asking = 0;
    SYNC_WARP();
    return next;
}
STEP void close_store(Control*, Store&) {}
