// SPIN stores 9 states.
typedef R { byte a; short b[2]; bool c };
typedef S { R r[2]; byte k = 3 }; S s; chan q = [2] of {R, byte};
active proctype A() { R t; t.a = 1; t.b[1] = 300; s.r[1].b[0] = -1; q!t,4; q!s.r[1],5; q?s.r[0],t.a; t.c = s.k }
