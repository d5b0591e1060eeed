// SPIN stores 27 states.
byte x,y;
active proctype A() { { atomic { x=1; y==3 -> x=2; x=3 }; x = 4 } unless { y==1 -> x=9 }; x = 5 }
active proctype B() { y=2; y=1; y = 3 }
