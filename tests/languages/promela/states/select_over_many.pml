// SPIN stores 735 states.
int i; short q_1; byte x;
active proctype A() { select(i : 2..50); x = i; select(q_1 : 1 .. 3) }
