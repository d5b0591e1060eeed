// Breadth-first search, layer by layer, and the passes back through its layers by which a trace is found.
//
// A warp takes a batch of states, one for each lane, and finds their steps together. Targets wait in a queue until
// there is one for each lane; then they are looked up at once.

#define WARP_BYTES (sizeof(Store) + 4u * (WORDS + 1u) * QUEUE + 16u)
#define WARPS (WARP_BYTES * 4u <= 49152u ? 4u : WARP_BYTES * 2u <= 49152u ? 2u : 1u)

// What the lanes of a warp share.
struct Warp {
    Store store;
    uint32_t queue[WORDS + 1][QUEUE]; // targets, and the positions of their origins, from the first of this launch on
    uint64_t next;                    // the position after the last stored state, as far as it is known here
    uint32_t met;                     // which lanes have a target that a pass over all states looks for
};

// Whether a state that was found now may lie on a way of few enough steps. If not, it is noted how many it takes.
STEP bool is_near(Control* c, const State& t) {
    if (!HAS_ESTIMATE)
        return true;
    const int32_t missing = estimate((const int32_t*)c->tables, t);
    const uint64_t steps = missing == DEAD_END ? c->dead_end : c->level + (uint64_t)missing;
    if (steps > c->bound && steps < look(&c->least))
        lower_to(&c->least, steps);
    return steps <= c->bound;
}

STEP void mark_at(Control* c, uint64_t position) {
    State t;
    fetch(c, position, t);
    uint64_t* const slot = find(c, t);
    if (slot != 0 && set_mark(slot, c->parity))
        add_to(&c->marked, 1);
}

// A state that is to be marked, or told.
STEP void note_at(Control* c, uint64_t position) {
    if (c->finds != 0)
        lower_to(&c->origin, position);
    else
        mark_at(c, position);
}

// Whether a state is the first of those that the host gave.
STEP bool is_given(const Control* c, const State& t) {
    bool same = true;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        same = same && ((const uint32_t*)c->input)[i] == t.w[i];
    return same;
}
#if SEEKS_CYCLES
STEP void meet(Control* c, Warp* w, const State& t, uint32_t lane, uint32_t mode);
#endif
STEP bool has_mark(const Control* c, const State& t) {
    const uint64_t* const slot = find(c, t);
    return slot != 0 && is_marked(slot, 1 - c->parity);
}

// Takes the answers to what was asked before, if anything was.
STEP void take_answers(Control* c, Warp* w) {
    bool fresh;
    State t;
    const uint32_t asking = w->store.asking;
    SYNC_WARP();
    if (asking == 0)
        return;
    const uint64_t next = answer(c, w->store, fresh, t);
    if (next != 0 && lane_number() == 0)
        w->next = next;
    if (HAS_GOAL && fresh && goal(t) != NO)
        add_to(&c->goals, 1);
    if (HAS_CONTROL) {
        const uint32_t inside = BALLOT(fresh && control_of(t) >= 0);
        if (inside != 0 && lane_number() == first_lane(inside))
            add_to(&c->transient, COUNT(inside));
    }
}

// Looks up the targets that wait from `first` on, one for each lane.
RARE void take_waiting(Control* c, Warp* w, uint32_t first, uint32_t count, uint32_t mode) {
    const uint32_t place = (first + lane_number()) % QUEUE;
    const bool valid = lane_number() < count;
    State t;
#pragma unroll
    for (uint32_t i = 0; i < WORDS; ++i)
        t.w[i] = w->queue[i][place];
    const uint32_t source = w->queue[WORDS][place];
    SYNC_WARP();
    if (mode == SEARCH) {
        take_answers(c, w);
#if IS_SHARED
        ask(c, w->store, keep_own(c, valid && is_near(c, t), t), t);
#else
        ask(c, w->store, valid && is_near(c, t), t);
#endif
    } else if (mode == PROBE) {
        if (valid && find(c, t) == 0)
            add_to(&c->fresh, 1);
    } else if (mode == MARK_VIOLATORS) {
        if (HAS_GOAL && valid && goal(t) != NO)
            note_at(c, c->first + source);
#if SEEKS_CYCLES
    } else if (mode >= FIRST_PASS) {
        if (valid)
            meet(c, w, t, source, mode);
#endif
    } else if (valid && (c->finds != 0 ? is_given(c, t) : has_mark(c, t))) {
        note_at(c, c->first + source);
    }
}

STEP void emit(Lane& x, bool there, const State& t) {
    x.arcs += there;
    const uint32_t all = BALLOT(there && x.mode != MARK_DEADLOCKS);
    if (all == 0)
        return;
    if (there) {
        const uint32_t place = x.waiting + rank_in(all);
#pragma unroll
        for (uint32_t i = 0; i < WORDS; ++i)
            x.warp->queue[i][place] = t.w[i];
        x.warp->queue[WORDS][place] = x.source;
    }
    x.waiting += COUNT(all);
    SYNC_WARP();
    if (x.waiting >= LANES) {
        x.waiting -= LANES;
        take_waiting(x.control, x.warp, x.waiting, LANES, x.mode);
    }
}

// The host finds the steps of this state; whether there is little room left for more such states.
STEP bool leave(Control* c, uint64_t position) {
    const uint64_t place = add_to(&c->left_count, 1);
    if (place < c->left_room) {
        ((uint64_t*)c->left)[place] = position;
    } else {
        c->full = 1;
    }
    return place >= c->left_room / 2;
}

KERNEL BOUNDS(WARPS) beeline_expand(Control* c) {
    __shared__ Warp warps[WARPS];
    if (c->halt != 0)
        return;
    uint64_t generated = 0, errors = 0, deadlocks = 0;
    const uint64_t end = c->end, room = c->room;
    Warp* const w = warps + warp_in_block();
    Lane x;
    x.warp = w;
    x.control = c;
    x.mode = (uint32_t)c->mode;
    x.waiting = 0;
    if (lane_number() == 0) {
        open_store(w->store);
        w->next = 0;
    }
    SYNC_WARP();
    while (w->next < room) {
#if IS_SHARED
        if (VOTE(is_outbox_full(c)))
            break;
#endif
        uint64_t base = 0;
        if (lane_number() == 0)
            base = add_to(&c->cursor, LANES);
        base = from_lane(base, 0);
        if (base >= end)
            break;
        const uint64_t position = base + lane_number();
        State s;
        x.active = position < end;
        fetch(c, x.active ? position : base, s);
        x.source = (uint32_t)(position - c->first);
        expand_all(s, x);
        bool stop = false;
        if (position < end) {
            if ((x.mode == MARK_DEADLOCKS && x.dead) || (x.mode == MARK_VIOLATORS && x.errors > 0))
                note_at(c, position);
            if (x.left) {
                stop = leave(c, position);
            } else {
                generated += x.arcs + x.errors;
                errors += x.errors;
                deadlocks += x.dead;
            }
        }
        if (VOTE(stop) && lane_number() == 0)
            w->next = room;
        SYNC_WARP();
    }
    if (x.waiting > 0)
        take_waiting(c, w, 0, x.waiting, x.mode);
    if (x.mode == SEARCH) {
        take_answers(c, w);
        close_store(c, w->store);
    }
    count_in(&c->generated, generated);
    count_in(&c->errors, errors);
    count_in(&c->deadlocks, deadlocks);
    tell_narrow(c);
}

// After the expansion of a layer: goes on to the next one, unless the host has something to do.
KERNEL beeline_advance(Control* c) {
    if (thread_number() != 0 || c->halt != 0)
        return;
    c->halt = c->cursor < c->end || c->left_count != 0 || c->full != 0;
    if (c->halt != 0)
        return;
    ((uint64_t*)c->ends)[c->layers++] = c->next;
    c->first = c->cursor = c->end;
    c->end = c->next;
    ++c->level;
    const uint64_t found =
        (c->goals != 0 ? GOAL : 0) | (c->errors != 0 ? ERROR : 0) | (c->deadlocks != 0 ? DEADLOCK : 0);
    c->halt = (found & c->stop) != 0 || c->end - c->first > c->large || c->first == c->end;
}

// Stores states that the host found.
KERNEL beeline_insert(Control* c) {
    for (uint64_t base = thread_number() - lane_number(); base < c->count; base += thread_count()) {
        const uint64_t i = base + lane_number();
        State t;
#pragma unroll
        for (uint32_t w = 0; w < WORDS; ++w)
            t.w[w] = ((const uint32_t*)c->input)[(i < c->count ? i : base) * WORDS + w];
#if IS_SHARED
        const bool mine = owner_of(c, t) == c->own;
#else
        const bool mine = true;
#endif
        const bool fresh = insert(c, i < c->count && mine && is_near(c, t), t);
        if (HAS_GOAL && fresh && goal(t) != NO)
            add_to(&c->goals, 1);
        if (HAS_CONTROL && fresh && control_of(t) >= 0)
            add_to(&c->transient, 1);
    }
}

// Reads states by position, as words.
KERNEL beeline_fetch(Control* c) {
    for (uint64_t i = thread_number(); i < c->count; i += thread_count()) {
        State t;
        fetch(c, ((const uint64_t*)c->input)[i], t);
        for (uint32_t w = 0; w < WORDS; ++w)
            ((uint32_t*)c->output)[i * WORDS + w] = t.w[w];
    }
}

// Tells for each state of the host whether it is stored and has the mark.
KERNEL beeline_ask(Control* c) {
    for (uint64_t i = thread_number(); i < c->count; i += thread_count()) {
        State t;
        for (uint32_t w = 0; w < WORDS; ++w)
            t.w[w] = ((const uint32_t*)c->input)[i * WORDS + w];
        const uint64_t* const slot = find(c, t);
        ((uint8_t*)c->output)[i] = (uint8_t)(slot == 0 ? 0 : is_marked(slot, c->parity) ? 2 : 1);
    }
}

// Marks states of the host.
KERNEL beeline_mark(Control* c) {
    for (uint64_t i = thread_number(); i < c->count; i += thread_count()) {
        State t;
        for (uint32_t w = 0; w < WORDS; ++w)
            t.w[w] = ((const uint32_t*)c->input)[i * WORDS + w];
        uint64_t* const slot = find(c, t);
        if (slot != 0 && set_mark(slot, c->parity))
            add_to(&c->marked, 1);
    }
}

// Tells for each state of the host whether it is among those at the positions from `first` to `end`.
KERNEL beeline_locate(Control* c) {
    for (uint64_t position = c->first + thread_number(); position < c->end; position += thread_count()) {
        State t;
        fetch(c, position, t);
        for (uint64_t i = 0; i < c->count; ++i) {
            bool same = true;
            for (uint32_t w = 0; w < WORDS; ++w)
                same = same && ((const uint32_t*)c->input)[i * WORDS + w] == t.w[w];
            if (same)
                ((uint8_t*)c->output)[i] = 1;
        }
    }
}

// Puts what is in the old table into the new one.
KERNEL beeline_move(Control* c) {
    for (uint64_t i = thread_number(); i < c->old_buckets * SLOTS; i += thread_count()) {
        move_slot(c, i);
    }
}
