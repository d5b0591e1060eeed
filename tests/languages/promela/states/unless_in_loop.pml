// SPIN stores 57 states.
byte x,y;
active proctype A() { do :: { x<3 -> x++; x++ } unless { y==1 -> x=7 } :: x>=3 -> break od }
active proctype B() { y=1; y=2 }
