// States of at most 61 bits are kept in the slots of the table themselves.
//
// A bucket is what one access to memory brings: four slots. States are never taken out, so that a search for one ends
// at the first free slot, and what was read of a bucket some time ago is still true but for free slots.

#define NUMBERS 1u // in a slot
#define SLOTS 4u
#define STORED (1ull << 63)
#define MARK(parity) (1ull << (61 + (parity)))
#define PAYLOAD ((1ull << 61) - 1)

struct StateKey {
    uint64_t low;
};
STEP StateKey key_of(const State& t) {
    StateKey key;
    uint64_t high;
    key_of(t, key.low, high);
    return key;
}
STEP void state_of(const StateKey& key, State& t) { state_of(key.low, 0, t); }
STEP uint64_t hash_of(const StateKey& key) { return mixed(key.low); }

STEP bool is_free(const uint64_t* slot) { return slot[0] == 0; }
STEP bool has(const uint64_t* slot, const StateKey& key) { return slot[0] == (key.low | STORED); }
STEP bool has_marked(const uint64_t* slot, const StateKey& key) { return (slot[0] & PAYLOAD) == key.low; }
// Puts the key into a slot if that is free; `seen` is then what was there before.
STEP void take_slot(uint64_t* slot, const StateKey& key, uint64_t* seen) {
    seen[0] = swap_if(slot, 0, key.low | STORED);
}
STEP StateKey key_in(const uint64_t* slot) {
    const StateKey key = {slot[0] & PAYLOAD};
    return key;
}
STEP void write_key(uint64_t* place, const StateKey& key) { place[0] = key.low; }
STEP StateKey read_key(const uint64_t* place) {
    const StateKey key = {place[0]};
    return key;
}
