// Which states lie on ways that pass accepting states for ever, as marks; no states are stored any more.
//
// States that may still do so have the mark ON. Passes over them, each of which finds their steps again, take it from
// those that cannot: CLOSE finds from which of them an accepting one can be reached among them, TRIM takes out those
// with no step to another one; in turns until nothing changes (one-way-catch-them-young: Fisler, Fraer, Kamhi, Vardi
// and Yang, Is there a best symbolic cycle-detection algorithm?, TACAS 2001; Cerna and Pelanek, Distributed explicit
// fair cycle detection, SPIN 2003; here backwards, since a state knows its successors). FOLLOW finds which of them are
// reached from one of them, so that those can be left out that only lead to cycles.

#define ON 0u
#define FOUND 1u

// A target of a lane's state.
STEP void meet(Control* c, Warp* w, const State& t, uint32_t lane, uint32_t mode) {
    uint64_t* const slot = find(c, t);
    if (slot == 0)
        return;
    if (mode != FOLLOW) {
        if (is_marked(slot, mode == CLOSE ? FOUND : ON))
            set_bit(&w->met, lane);
    } else if (is_marked(slot, ON) && !is_marked(slot, FOUND)) {
        set_mark(slot, FOUND);
    }
}

// One pass over the states from `first` to `end`; counts those whose marks change.
KERNEL BOUNDS(WARPS) beeline_pass(Control* c) {
    __shared__ Warp warps[WARPS];
    if (c->halt != 0)
        return;
    uint64_t changed = 0;
    const uint64_t end = c->end;
    const uint32_t mode = (uint32_t)c->mode;
    Warp* const w = warps + warp_in_block();
    Lane x;
    x.warp = w;
    x.control = c;
    x.mode = mode;
    x.source = lane_number();
    x.waiting = 0;
    for (;;) {
        uint64_t base = 0;
        if (lane_number() == 0) {
            base = add_to(&c->cursor, LANES);
            w->met = 0;
        }
        base = from_lane(base, 0);
        SYNC_WARP();
        if (base >= end)
            break;
        const uint64_t position = base + lane_number();
        State s;
        fetch(c, position < end ? position : base, s);
        uint64_t* const slot = position < end ? find(c, s) : 0;
        const bool asked = slot != 0 && is_marked(slot, ON) && (mode != CLOSE || !is_marked(slot, FOUND));
        const bool accepts = mode == CLOSE && asked && is_accepting(s);
        x.left = false;
        x.active = asked && !accepts;
        if (VOTE(x.active)) {
            expand_all(s, x);
            SYNC_WARP();
            if (x.waiting > 0)
                take_waiting(c, w, 0, x.waiting, mode);
            x.waiting = 0;
            SYNC_WARP();
        }
        const bool met = accepts || (w->met >> lane_number() & 1u) != 0;
        bool stop = false;
        if (asked && !accepts && x.left) {
            stop = leave(c, position);
        } else if (mode == CLOSE && asked && met) {
            changed += set_mark(slot, FOUND);
        } else if (mode == TRIM && asked && !met) {
            changed += drop_mark(slot, ON);
        }
        if (VOTE(stop))
            break;
        SYNC_WARP();
    }
    count_in(&c->marked, changed);
}

// After a pass over a layer: goes on to the one before it, as long as the host gave ends of layers.
KERNEL beeline_retreat(Control* c) {
    if (thread_number() != 0 || c->halt != 0)
        return;
    c->halt = c->cursor < c->end || c->left_count != 0 || c->full != 0;
    if (c->halt != 0)
        return;
    const uint64_t* const ends = (const uint64_t*)c->ends;
    c->halt = ++c->layers == c->count;
    c->end = c->first;
    c->first = c->cursor = c->halt != 0 ? c->end : ends[c->layers];
}

// Changes the marks of all states, and counts those that are ON then.
KERNEL beeline_remark(Control* c) {
    uint64_t on = 0;
    for (uint64_t i = thread_number(); i < c->buckets * SLOTS; i += thread_count()) {
        uint64_t* const slot = slot_at(c, i);
        if (*slot == 0)
            continue;
        const bool keeps = c->mode == MARK_ALL || (c->mode == KEEP_FOUND && (*slot & MARK(FOUND)) != 0);
        const uint64_t now = (*slot & ~(MARK(ON) | MARK(FOUND))) | (keeps ? MARK(ON) : 0);
        if (*slot != now)
            *slot = now;
        on += keeps;
    }
    count_in(&c->marked, on);
}

// Takes a mark from states of the host.
KERNEL beeline_drop(Control* c) {
    for (uint64_t i = thread_number(); i < c->count; i += thread_count()) {
        State t;
        for (uint32_t w = 0; w < WORDS; ++w)
            t.w[w] = ((const uint32_t*)c->input)[i * WORDS + w];
        uint64_t* const slot = find(c, t);
        if (slot != 0 && drop_mark(slot, c->parity))
            add_to(&c->marked, 1);
    }
}

// An order of states that has nothing to do with the one in which they were found, which is not the same each time.
STEP uint64_t order_of(const State& t) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < WORDS; ++i)
        sum = mixed(sum * 0x9e3779b97f4a7c15ull + t.w[i] + 1);
    return sum >> 1;
}

// Finds the least accepting state with the mark, or where `finds` is set the position of the one that was found.
KERNEL beeline_choose(Control* c) {
    for (uint64_t position = c->first + thread_number(); position < c->end; position += thread_count()) {
        State s;
        fetch(c, position, s);
        if (!is_accepting(s))
            continue;
        const uint64_t* const slot = find(c, s);
        if (slot == 0 || !is_marked(slot, ON))
            continue;
        if (c->finds == 0)
            lower_to(&c->origin, order_of(s));
        else if (order_of(s) == c->origin)
            lower_to(&c->found, position);
    }
}
