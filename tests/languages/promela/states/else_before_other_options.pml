// SPIN stores 61 states.
byte x,y;
active proctype A() { do :: if :: x==1 -> y=1 :: else -> y=2 fi :: x==2 -> y=3; break :: x == 1 -> y = 4 od }
active proctype B() { x=1; x=2 }
