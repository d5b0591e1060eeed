// SPIN stores 21 states.
byte x,y;
active proctype A() { { x=1; if :: x==1 -> goto L :: x==2 fi; x = 4 } unless { y==1 -> x=9 }; x = 5; L: x = 6 }
active proctype B() { y=1 }
