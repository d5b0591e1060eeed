// SPIN stores 39 states.
chan a=[0] of {byte}; byte x;
active proctype A() { atomic { x=1; a!1; x=2; a!2; x=3 } }
active proctype B() { byte z; do :: a?z -> x = 5 :: x==3 -> break od }
active proctype C() { byte z; atomic { a?z; x = 8; x = 9 } }
