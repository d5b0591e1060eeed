// SPIN stores 22 states.
byte x;
active proctype A() { do :: timeout -> x++; if :: x==3 -> break :: else fi :: x==7 od }
active proctype B() { timeout && x==2; x = 7; !timeout -> x = 1 }
