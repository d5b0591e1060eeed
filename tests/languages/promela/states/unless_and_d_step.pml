// SPIN stores 29 states.
byte x,y;
active proctype A() { { d_step { x=1; x=2 }; d_step { y != 1 -> x=3 }; x = 4 } unless { d_step { y==1 -> x=9 } }; x = 5 }
active proctype B() { y=2; y=1; y = 3 }
