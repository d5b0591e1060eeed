// SPIN stores 60 states.
byte x,y;
active proctype A() { { { { x=1; x=2 } unless { y==1 -> x=3; x = 4 } } unless { y>=2 -> x=5; x = 6 } } unless { y==3 -> x = 7 } }
active proctype B() { y=1; y=2; y=3 }
