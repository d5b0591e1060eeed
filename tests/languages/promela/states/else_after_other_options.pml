// SPIN stores 37 states.
byte x,y;
active proctype A() { do :: x==2 -> y=3; break  :: if :: x==1 -> y=1 :: else -> y=2 fi od }
active proctype B() { x=1; x=2 }
