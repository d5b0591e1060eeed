// Slots of one number: what a key has of 61 bits, and marks.
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
