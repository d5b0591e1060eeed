// The steps of states, one in each lane.

// The target of a step, once for each of some moves of the monitor; `rests`: the network does not move.
STEP void emit_moves(Lane& x, uint64_t rest, const State& t, bool rests) {
    while (VOTE(rest != 0)) {
        State u = t;
        bool there = rest != 0;
        if (there && x.watched && move_monitor(u, COUNT((rest & (0 - rest)) - 1), rests) == LEFT) {
            x.left = true;
            there = false;
        }
        emit(x, there, u);
        rest &= rest - 1;
    }
}

// A step of the network, if there is one: to `t`, or one that fails.
STEP void arrive(Lane& x, int r, const State& t) {
    x.left = x.left || r == LEFT;
    if (!HAS_MONITOR) {
        x.errors += r == FAILED;
        emit(x, r > 0, t);
        return;
    }
    const uint64_t ways = x.watched ? x.moves : 1;
    x.moved = x.moved || r > 0 || r == FAILED;
    x.errors += r == FAILED ? COUNT(ways) : 0;
    emit_moves(x, r > 0 ? ways : 0, t, false);
}

// What the monitor can do where it watches. Moves by which the run is complete are steps of their own: the network does
// not move any more. Returns whether there is any.
STEP bool watch_all(const State& s, Lane& x) {
    const bool looks = x.active && x.watched;
    uint64_t ends = 0;
    uint32_t failed = 0;
    if (looks) {
        x.moved = false;
        if (watch(s, x.timeout, x.moves, ends, failed) == LEFT) {
            x.left = true;
            x.active = false;
            x.moves = ends = 0;
        }
    }
    x.errors += failed;
    emit_moves(x, ends, s, false);
    return looks && (x.moves != 0 || ends != 0 || failed != 0);
}

// All steps of the network: of the process in control alone if there is one, and with a timeout only where nothing else
// is possible, or what watches has no move.
STEP void expand_network(const State& s, Lane& x) {
    bool able = !HAS_MONITOR || watch_all(s, x);
    for (;;) {
        x.committed = HAS_COMMITTED && x.active && x.only < 0 && somebody_is_committed(s);
        expand(s, x);
        if (!HAS_CONTROL && !USES_TIMEOUT)
            return;
        const bool done = HAS_MONITOR ? x.moved && (able || !x.watched) : x.arcs + x.errors != 0;
        x.active = x.active && !x.left && !done && (x.only >= 0 || (USES_TIMEOUT && x.timeout == 0));
        if (x.only < 0)
            x.timeout = 1;
        x.only = -1;
        if (!VOTE(x.active))
            return;
        if (HAS_MONITOR && USES_TIMEOUT)
            able = watch_all(s, x) || able;
    }
}

// All steps of the lanes' states. As ProgramSpace::expand_loaded, expand_watched and finish.
STEP void expand_all(const State& s, Lane& x) {
    const bool wanted = x.active;
    x.only = HAS_CONTROL && wanted ? control_of(s) : -1;
    x.timeout = 0;
    x.arcs = x.errors = 0;
    x.left = false;
    x.watched = HAS_MONITOR && wanted && x.only < 0;
    x.moved = false;
    x.moves = 0;
    if (HAS_MONITOR && x.watched && is_watched_to_the_end(s))
        x.active = false;
    const bool goes_on = x.active;
    expand_network(s, x);
    if (HAS_MONITOR)
        emit_moves(x, x.watched && goes_on && !x.left && !x.moved ? x.moves : 0, s, true);
    const bool still = wanted && !x.left && x.arcs + x.errors == 0;
    x.dead = still && !x.watched && !rests_at_end(s);
    // A run that comes to rest at an accept label stays there for ever.
    if (SEEKS_LABELS) {
        x.watched = false;
        emit(x, still && is_accepting(s), s);
    }
}
