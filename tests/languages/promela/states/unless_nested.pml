// SPIN stores 61 states.
byte x,y;
active proctype A() { { { x=1; x=2; x=3 } unless { y==1 -> x=9; x=8 } } unless { y==2 -> x = 7 }; x = 4 }
active proctype B() { y=1; y=2; y=0 }
