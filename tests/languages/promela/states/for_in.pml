// SPIN stores 29 states.
typedef M { byte k }; chan q=[2] of {M}; M m; byte s; byte a[3]=2;
active proctype A() { byte i; M z; z.k=2; q!z; z.k=3; q!z; for (m in q) { s = s + m.k }; for (i in a) { s = s + a[i] } }
