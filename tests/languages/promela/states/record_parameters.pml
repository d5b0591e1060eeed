// SPIN stores 35 states.
typedef S { byte u; byte v };
typedef R { byte k = 3; S s };
byte x;
proctype P(R r; byte z) { x = r.k + r.s.v; r.s.u = z }
init { R q; q.s.v = 7; run P(q,5); q.k = 1; run P(q,6) }
