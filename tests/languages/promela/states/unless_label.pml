// SPIN stores 36 states.
byte x,y;
active proctype A() { L: { x=1; x=2 } unless { y==1 }; x = 3; if :: y==2 -> goto L :: y==3 fi }
active proctype B() { y=2; y=1; y = 3 }
