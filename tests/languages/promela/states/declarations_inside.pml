// SPIN stores 11 states.
byte x;
active proctype A() { x = 1; byte y = x; { int z; z = y; z++ }; if :: byte k = 3; x = k :: x = 2 fi }
