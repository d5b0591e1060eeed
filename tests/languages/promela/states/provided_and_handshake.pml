// SPIN stores 32 states.
chan c=[0] of {byte}; byte x,y;
active proctype A() { do :: x<2 -> c!x; x++ :: else -> break od }
active proctype B() provided (y==0) { byte z; do :: c?z od }
active proctype C() { y=1; y=0 }
