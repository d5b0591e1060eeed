// SPIN stores 6 states.
byte x,y;
active proctype A() { d_step { if :: x>2 -> y=1 :: y = 2 fi } }
active proctype B() { x=3 }
