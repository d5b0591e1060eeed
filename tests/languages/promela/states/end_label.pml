// SPIN stores 12 states.
byte x;
active proctype A() { end: do :: x<2 -> x++ od }
active proctype B() { x==2 -> x = 1 }
