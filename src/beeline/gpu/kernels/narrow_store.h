// States of at most 61 bits are keys themselves.

STEP StateKey key_of(const State& t) {
    StateKey key;
    uint64_t high;
    key_of(t, key.low, high);
    return key;
}

#define KEPT 1u // numbers
typedef StateKey Kept;
STEP Kept kept_of(const State& t) { return key_of(t); }
STEP StateKey key_of(const Kept& kept) { return kept; }
STEP void state_of(const Kept& kept, State& t) { state_of(kept.low, 0, t); }
STEP void write_kept(uint64_t* place, const Kept& kept) { place[0] = kept.low; }
STEP Kept read_kept(const uint64_t* place) {
    const Kept kept = {place[0]};
    return kept;
}
