// Buckets of a table: what one access to memory brings, four numbers.

STEP uint64_t bucket_of(const Control* c, const StateKey& key) { return upper_product(hash_of(key), c->buckets); }
STEP uint64_t* slots_of(const Control* c, uint64_t bucket) { return (uint64_t*)c->slots + bucket * 4; }
STEP uint64_t after(const Control* c, uint64_t bucket) { return bucket + 1 == c->buckets ? 0 : bucket + 1; }

// Whether a state was not there before.
STEP bool claim(Control* c, const StateKey& key);
