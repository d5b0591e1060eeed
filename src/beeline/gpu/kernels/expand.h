// The steps of states, one in each lane.

// All steps of the lanes' states: of the process in control alone if there is one, and with a timeout only where
// nothing else is possible.
STEP void expand_all(const State& s, Lane& x) {
    x.only = HAS_CONTROL && x.active ? control_of(s) : -1;
    x.timeout = 0;
    x.arcs = x.errors = 0;
    x.left = false;
    for (;;) {
        x.committed = HAS_COMMITTED && x.active && x.only < 0 && somebody_is_committed(s);
        expand(s, x);
        if (!HAS_CONTROL && !USES_TIMEOUT)
            return;
        x.active = x.active && !x.left && x.arcs + x.errors == 0 && (x.only >= 0 || (USES_TIMEOUT && x.timeout == 0));
        if (x.only < 0)
            x.timeout = 1;
        x.only = -1;
        if (!VOTE(x.active))
            return;
    }
}
