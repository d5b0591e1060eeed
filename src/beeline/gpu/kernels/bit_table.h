// A table that has three bits for each key, all in one number: a state whose bits others have set is taken for one that
// was there. It cannot grow, since nobody knows whose bits they are, and it has no room for marks.

STEP uint32_t number_of(const StateKey& key) { return (uint32_t)(mixed(~key.low) >> 18) & 3u; }
STEP uint64_t bits_of(const StateKey& key) {
    const uint64_t chance = mixed(~key.low);
    return 1ull << (chance & 63u) | 1ull << (chance >> 6 & 63u) | 1ull << (chance >> 12 & 63u);
}

// Whether the state was not there before; `seen` is what its bucket held.
STEP bool claim(Control* c, const StateKey& key, uint64_t bucket, uint64_t* seen) {
    const uint64_t bits = bits_of(key);
    const uint32_t number = number_of(key);
    if ((seen[number] & bits) == bits)
        return false;
    return (set_bits(slots_of(c, bucket) + number, bits) & bits) != bits;
}

// The number that has the bits of a state, or null.
STEP uint64_t* find(const Control* c, const State& t) {
    const StateKey key = key_of(t);
    uint64_t* const place = slots_of(c, bucket_of(c, key)) + number_of(key);
    return (look(place) & bits_of(key)) == bits_of(key) ? place : 0;
}
STEP bool is_marked(const uint64_t*, uint64_t) { return false; }
STEP bool set_mark(uint64_t*, uint64_t) { return false; }
STEP void move_slot(Control* c, uint64_t) { c->full = 1; }
