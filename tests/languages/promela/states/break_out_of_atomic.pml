// SPIN stores 26 states.
byte x,y;
active proctype A() { do :: atomic { x<3 -> x++; if :: x==2 -> break :: else fi } :: y==1 -> atomic { x=9; break } od; x = 5 }
active proctype B() { y=1; y=0 }
