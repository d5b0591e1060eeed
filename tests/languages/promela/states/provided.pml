// SPIN stores 30 states.
byte x;
active proctype A() provided (x<2) { x++; x++; x++ }
active proctype B() { x = 0; x = 3; x= 1 }
