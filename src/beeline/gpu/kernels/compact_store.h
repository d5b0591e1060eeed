// Of wider states the table has hashes of 61 bits: of two states with the same one, the second is taken for the first.
// The states themselves are kept until they are expanded.

STEP StateKey key_of(const State& t) {
    uint64_t sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        sum = mixed(sum * 0x9e3779b97f4a7c15ull + t.w[i] + 1);
    const StateKey key = {sum & PAYLOAD};
    return key;
}

#define KEPT ((WORDS + 1u) / 2u) // numbers
typedef State Kept;
STEP Kept kept_of(const State& t) { return t; }
STEP void state_of(const Kept& kept, State& t) { t = kept; }
STEP void write_kept(uint64_t* place, const Kept& kept) {
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        ((uint32_t*)place)[i] = kept.w[i];
}
STEP Kept read_kept(const uint64_t* place) {
    Kept kept;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        kept.w[i] = ((const uint32_t*)place)[i];
    return kept;
}
