// A table that knows states by their keys, and a ring that keeps them in the order of layers.
//
// Targets are looked up in two steps, so that nobody waits for memory: what their buckets hold is copied to shared
// memory while more states are expanded, and looked at when the next targets come. New states are written in the order
// of layers when there is one for each lane.

STEP uint64_t index_of(const Control* c, uint64_t position) {
    const uint64_t index = position - c->lap;
    return index >= c->size ? index - c->size : index;
}
STEP uint64_t* place_of(const Control* c, uint64_t position) {
    return (uint64_t*)c->states + index_of(c, position) * KEPT;
}
STEP void fetch(const Control* c, uint64_t position, State& t) { state_of(read_kept(place_of(c, position)), t); }

STEP bool claim(Control* c, const StateKey& key) {
    const uint64_t bucket = bucket_of(c, key);
    uint64_t seen[4];
    look_at_pair(slots_of(c, bucket), seen[0], seen[1]);
    look_at_pair(slots_of(c, bucket) + 2, seen[2], seen[3]);
    return claim(c, key, bucket, seen);
}

// Writes the new states of all lanes that have one. Returns the position after them.
STEP uint64_t append(Control* c, bool fresh, const Kept& kept) {
    const uint32_t all = BALLOT(fresh);
    if (all == 0)
        return 0;
    uint64_t base = 0;
    if (lane_number() == first_lane(all))
        base = add_to(&c->next, COUNT(all));
    base = from_lane(base, first_lane(all));
    const uint64_t position = base + rank_in(all);
    if (fresh && position < c->limit)
        write_kept(place_of(c, position), kept);
    if (fresh && position >= c->limit)
        c->full = 1;
    return base + COUNT(all);
}

// Stores the states of all lanes that have one; whether this lane's is a new one.
STEP bool insert(Control* c, bool valid, const State& t) {
    const bool fresh = valid && claim(c, key_of(t));
    append(c, fresh, kept_of(t));
    return fresh;
}

// What a warp has under way.
struct Store {
    alignas(16) uint64_t copies[LANES][4];       // of buckets
    alignas(16) uint64_t asked[LANES][KEPT];     // the targets that are looked up
    alignas(16) uint64_t fresh[2 * LANES][KEPT]; // new states that are not written yet
    uint32_t asking, waiting;                    // how many
};
STEP void open_store(Store& w) { w.asking = w.waiting = 0; }

// Begins to look up the targets of the lanes that have one.
STEP void ask(Control* c, Store& w, bool valid, const State& t) {
    const uint32_t all = BALLOT(valid);
    const uint32_t place = rank_in(all);
    if (valid) {
        write_kept(w.asked[place], kept_of(t));
        begin_copy(w.copies[place], slots_of(c, bucket_of(c, key_of(t))));
    }
    if (lane_number() == 0)
        w.asking = COUNT(all);
    SYNC_WARP();
}
// Ends what was begun: whether this lane had a target that is new, and the target. Returns the position after the last
// state that was written, if one was.
STEP uint64_t answer(Control* c, Store& w, bool& fresh, State& t) {
    wait_for_copies();
    SYNC_WARP();
    const bool valid = lane_number() < w.asking;
    const uint32_t lane = lane_number();
    const Kept kept = read_kept(w.asked[lane]);
    const StateKey key = key_of(kept);
    uint64_t seen[4];
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i)
        seen[i] = w.copies[lane][i];
    fresh = valid && claim(c, key, bucket_of(c, key), seen);
    state_of(kept, t);
    const uint32_t all = BALLOT(fresh);
    const uint32_t before = w.waiting, now = before + COUNT(all);
    if (fresh)
        write_kept(w.fresh[before + rank_in(all)], kept);
    SYNC_WARP();
    uint64_t next = 0;
    if (now >= LANES)
        next = append(c, true, read_kept(w.fresh[now - LANES + lane]));
    SYNC_WARP();
    if (lane == 0) {
        w.asking = 0;
        w.waiting = now >= LANES ? now - LANES : now;
    }
    SYNC_WARP();
    return next;
}
// What is left at the end.
STEP void close_store(Control* c, Store& w) {
    const bool valid = lane_number() < w.waiting;
    append(c, valid, read_kept(w.fresh[valid ? lane_number() : 0]));
}
