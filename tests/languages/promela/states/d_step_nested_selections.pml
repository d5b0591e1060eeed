// SPIN stores 16 states.
byte x,y;
active proctype A() { d_step { if :: x<5 -> if :: x==0 -> y=1 :: x==1 -> y = 2 :: else -> y=9 fi :: else -> y=3 fi; { x = 7; y++ }; atomic { x++; y = x } } }
active proctype B() { x=1; x=2; x=6 }
