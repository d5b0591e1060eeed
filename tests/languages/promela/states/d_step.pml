// SPIN stores 31 states.
byte x,y;
active proctype A() { do :: d_step { x<3 -> x++; if :: x==2 -> y=1 :: else -> y = 2 fi; do :: y > 0 -> y-- :: else -> break od } :: x==3 -> break od }
active proctype B() { y=5; x = 1}
