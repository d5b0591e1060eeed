// SPIN stores 29 states.
byte x,y;
active proctype A() { do :: x==1 -> y=1 :: d_step { else -> y=2; y = 3 } :: x==2 -> break od }
active proctype B() { x=1; x=2; }
