// SPIN stores 11 states.
int x=1; short s;
active proctype A() { x = x << 4; x = x - 20; x = x >> 1; s = x * 30000; x = -7 / 2; x = -7 % 3; x = 5 ^ 3 | 8 & 12; x = !x; x = ~x }
