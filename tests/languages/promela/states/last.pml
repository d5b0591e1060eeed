// SPIN stores 46 states.
byte x;
active proctype A() { do :: x<2 -> x++ :: x>=2 -> break od }
active proctype B() { do :: _last==0 -> skip :: _last==1 -> break od}
