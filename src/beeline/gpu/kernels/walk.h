// Random walks, many at once: each lane has one, and begins another when it is over. Nothing is stored.
//
// What a walk does depends on its number alone: whoever knows the number can follow it again.

#define BLOCK_WARPS 4u
#define WALK_BITS 40 // of a walk's number; the steps of a violation are above it
#define LENGTHS 8u   // walks of a length, of twice that, and so on

STEP uint64_t next_random(uint64_t& random) {
    random += 0x9e3779b97f4a7c15ull;
    return mixed(random);
}

// Each target is as likely as the others to be the one that is kept.
STEP void emit(Lane& x, bool there, const State& t) {
    if (!there)
        return;
    ++x.arcs;
    const uint32_t dice = (uint32_t)(next_random(x.random) >> 32);
    if ((uint32_t)((uint64_t)dice * x.arcs >> 32) == 0)
        x.chosen = t;
}

STEP void begin_walk(const Control* c, uint64_t walk, State& s, Lane& x) {
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        s.w[i] = ((const uint32_t*)c->input)[i];
    x.random = mixed(c->seed ^ mixed(walk));
}
STEP uint64_t longest(const Control* c, uint64_t walk) { return c->length << (walk % LENGTHS); }

// What ends the search, of the state that was expanded and the one that was chosen.
STEP uint64_t violations(const Control* c, const Lane& x) {
    uint64_t found = 0;
    if (x.errors != 0)
        found |= ERROR;
    if (x.dead)
        found |= DEADLOCK;
    if (HAS_GOAL && x.arcs != 0 && goal(x.chosen) != NO)
        found |= GOAL;
    return found & c->stop;
}

STEP void keep_least(uint64_t* place, uint64_t value) {
    uint64_t before = look(place);
    while (value < before) {
        const uint64_t now = swap_if(place, before, value);
        if (now == before)
            return;
        before = now;
    }
}

// Walks with the numbers from `first` to `end`.
KERNEL BOUNDS(BLOCK_WARPS) beeline_walk(Control* c) {
    uint64_t walk = c->first + thread_number(), step = 0, made = 0;
    State s;
    Lane x;
    bool going = walk < c->end;
    begin_walk(c, walk, s, x);
    while (VOTE(going)) {
        x.active = going;
        expand_all(s, x);
        if (going) {
            ++made;
            const uint64_t found = violations(c, x);
            if (found != 0)
                keep_least(&c->found, step << WALK_BITS | (walk & ((1ull << WALK_BITS) - 1)));
            s = x.chosen;
            if (found != 0 || x.arcs == 0 || ++step >= longest(c, walk)) {
                walk += thread_count();
                step = 0;
                begin_walk(c, walk, s, x);
                going = walk < c->end;
            }
        }
    }
    count_in(&c->steps, made);
    tell_narrow(c);
}

// One walk again, number `first`, to the step `count`: all states that were expanded are written down.
KERNEL BOUNDS(1u) beeline_follow(Control* c) {
    State s;
    Lane x;
    begin_walk(c, c->first, s, x);
    for (uint64_t step = 0; step <= c->count; ++step) {
        x.active = lane_number() == 0;
        if (x.active) {
            for (uint32_t i = 0; i < WORDS; ++i)
                ((uint32_t*)c->output)[step * WORDS + i] = s.w[i];
        }
        expand_all(s, x);
        s = x.chosen;
    }
}
