// States of at most 122 bits are kept in the slots of the table themselves, in two numbers that are swapped at once.
//
// A bucket is what one access to memory brings: two slots. Otherwise as for states of one number.

#define NUMBERS 2u // in a slot
#define SLOTS 2u
#define STORED (1ull << 63)
#define MARK(parity) (1ull << (61 + (parity)))
#define PAYLOAD ((1ull << 61) - 1)

struct StateKey {
    uint64_t low, high;
};
STEP StateKey key_of(const State& t) {
    StateKey key;
    key_of(t, key.low, key.high);
    return key;
}
STEP uint64_t hash_of(const StateKey& key) { return mixed(key.low ^ mixed(key.high)); }

STEP bool is_free(const uint64_t* slot) { return slot[0] == 0; }
STEP bool has(const uint64_t* slot, const StateKey& key) {
    return slot[0] == (key.low | STORED) && slot[1] == key.high;
}
STEP bool has_marked(const uint64_t* slot, const StateKey& key) {
    return (slot[0] & PAYLOAD) == key.low && slot[1] == key.high;
}
// Puts the key into a slot if that is free; `seen` is then what was there before.
STEP void take_slot(uint64_t* slot, const StateKey& key, uint64_t* seen) {
    seen[0] = key.low | STORED;
    seen[1] = key.high;
    swap_pair_if_empty(slot, seen[0], seen[1]);
}
STEP StateKey key_in(const uint64_t* slot) {
    const StateKey key = {slot[0] & PAYLOAD, slot[1]};
    return key;
}

#define KEPT 2u // numbers
typedef StateKey Kept;
STEP Kept kept_of(const State& t) { return key_of(t); }
STEP StateKey key_of(const Kept& kept) { return kept; }
STEP void state_of(const Kept& kept, State& t) { state_of(kept.low, kept.high, t); }
STEP void write_kept(uint64_t* place, const Kept& kept) {
    place[0] = kept.low;
    place[1] = kept.high;
}
STEP Kept read_kept(const uint64_t* place) {
    const Kept kept = {place[0], place[1]};
    return kept;
}
