// SPIN stores 32 states.
byte i,x;
active proctype A() { int a[3]; for (i : 1..3) { x = x + i }; for (i in a) { a[i] = i }; select(i : 2..4); x = i }
