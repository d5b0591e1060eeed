// A table whose slots are keys of states, and marks.

// Whether the state was not there before; `seen` is what its bucket held.
STEP bool claim(Control* c, const StateKey& key, uint64_t bucket, uint64_t* seen) {
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = slots_of(c, bucket);
#pragma unroll
        for (uint32_t i = 0; i < 4; i += NUMBERS) {
            if (is_free(seen + i)) {
                take_slot(slots + i, key, seen + i);
                if (is_free(seen + i))
                    return true;
            }
            if (has(seen + i, key))
                return false;
        }
        bucket = after(c, bucket);
        look_at_pair(slots_of(c, bucket), seen[0], seen[1]);
        look_at_pair(slots_of(c, bucket) + 2, seen[2], seen[3]);
    }
    c->full = 1;
    return false;
}

// The slot of a state, or null.
STEP uint64_t* find(const Control* c, const State& t) {
    const StateKey key = key_of(t);
    uint64_t bucket = bucket_of(c, key);
    for (uint64_t probes = 0; probes < c->buckets; ++probes) {
        uint64_t* const slots = slots_of(c, bucket);
        for (uint32_t i = 0; i < 4; i += NUMBERS) {
            uint64_t seen[2];
            seen[0] = look(slots + i);
            seen[1] = NUMBERS > 1 ? look(slots + i + 1) : 0;
            if (is_free(seen))
                return 0;
            if (has_marked(seen, key))
                return slots + i;
        }
        bucket = after(c, bucket);
    }
    return 0;
}
STEP bool is_marked(const uint64_t* slot, uint64_t parity) { return (look(slot) & MARK(parity)) != 0; }
STEP bool set_mark(uint64_t* slot, uint64_t parity) { return (set_bits(slot, MARK(parity)) & MARK(parity)) == 0; }
STEP bool drop_mark(uint64_t* slot, uint64_t parity) { return (keep_bits(slot, ~MARK(parity)) & MARK(parity)) != 0; }
STEP uint64_t* slot_at(const Control* c, uint64_t number) { return (uint64_t*)c->slots + NUMBERS * number; }

// Puts a slot of the old table into the new one.
STEP void move_slot(Control* c, uint64_t number) {
    const uint64_t* const slot = (const uint64_t*)c->old_slots + NUMBERS * number;
    if (!is_free(slot))
        claim(c, key_in(slot));
}
