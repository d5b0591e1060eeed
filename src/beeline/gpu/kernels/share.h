// States that belong to other devices. They wait in memory, a part of which is for each device, until the host has them
// copied there.

// The device that a state belongs to, by a hash that says nothing about its place in the table there.
STEP uint64_t owner_of(const Control* c, const State& t) {
    uint64_t sum = 0x9fb21c651e98df25ull;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        sum = mixed(sum + t.w[i]);
    return upper_product(sum, c->devices);
}

// Puts the states of all lanes that have one to those of the device that they belong to; whether this lane's belongs
// here.
STEP bool keep_own(Control* c, bool valid, const State& t) {
    const uint64_t owner = valid ? owner_of(c, t) : c->own;
    for (uint64_t device = 0; device < c->devices; ++device) {
        const uint32_t all = device == c->own ? 0 : BALLOT(valid && owner == device);
        if (all == 0)
            continue;
        uint64_t base = 0;
        if (lane_number() == first_lane(all))
            base = add_to((uint64_t*)c->sent + device, COUNT(all));
        base = from_lane(base, first_lane(all));
        const uint64_t place = base + rank_in(all);
        if (owner == device && place < c->sent_limit) {
            uint32_t* const words = (uint32_t*)c->outbox + (device * c->sent_limit + place) * WORDS;
#pragma unroll
            for (uint32_t i = 0; i < WORDS; ++i)
                words[i] = t.w[i];
        }
        if (base + COUNT(all) > c->sent_limit)
            c->full = 1;
    }
    return valid && owner == c->own;
}

// Whether the host should fetch what waits before more states are expanded.
STEP bool is_outbox_full(const Control* c) {
    bool full = false;
    for (uint64_t device = 0; device < c->devices; ++device)
        full = full || look((const uint64_t*)c->sent + device) > c->sent_room;
    return full;
}
