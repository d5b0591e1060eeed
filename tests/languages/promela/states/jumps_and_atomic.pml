// SPIN stores 47 states.
byte x,y;
active proctype A() { L: atomic { x++; if :: x<3 -> goto L :: else -> goto M fi }; M: y=1; atomic { do :: y<5 -> y++ :: y>=3 -> break od; x=0 } }
active proctype B() { x=1; y=1}
