// SPIN stores 13 states.
chan a=[0] of {byte}; byte x;
active proctype A() { do :: a!1 :: x>2 -> break :: else -> x++ od }
active proctype B() { byte z; do :: a?z -> x = 0 :: x==3 -> break :: x==2 -> x = 3 od }
