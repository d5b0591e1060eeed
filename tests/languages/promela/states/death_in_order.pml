// SPIN stores 25 states.
byte x;
active proctype A() { x++ }
active proctype B() { x++; x == 2; x++ }
active proctype C() { x++ }
