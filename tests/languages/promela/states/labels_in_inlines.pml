// SPIN stores 17 states.
byte x;
inline w(v) { do :: v>2 -> goto out :: v<=2 -> v++ od; out: v = 0 }
active proctype A() { w(x); x=1; w(x) }
