// SPIN stores 27 states.
byte x,y;
active proctype A() { { x=1; x=2 } unless { if :: y==1 -> x=9 :: else -> x = 8 fi }; x = 5 }
active proctype B() { y=2; y=1; y = 3 }
