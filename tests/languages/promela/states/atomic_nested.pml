// SPIN stores 31 states.
byte x,y;
active proctype A() { atomic { x=1; atomic { x=2; { x=3; y==1 }; x=4 }; if :: x==4 -> x=5 :: x==9 -> goto L fi }; L: x=6; atomic { { x=7; x=8 } }; atomic { x = 9; do :: x<12 -> x++ :: else -> break od }; x = 0 }
active proctype B() { y=1; y=2; y = 1}
