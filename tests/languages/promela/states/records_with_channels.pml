// SPIN stores 51 states.
typedef R { chan c=[1] of {byte}; byte k = 3; byte a[2] };
byte x;
proctype P(byte n) { R r; r.c!r.k; r.a[1] = n; r.c?x; x = r.a[1] }
init { run P(1); run P(2) }
