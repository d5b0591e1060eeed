// SPIN stores 114 states.
chan q=[2] of {byte,byte}; byte x;
active proctype A() { q!!2,1; q!!1,2; q!!2,0 }
active proctype B() { byte a,b; do :: q??eval(x),a :: q??1,b :: q?<a,b> -> x=a :: x==2 -> break od }
