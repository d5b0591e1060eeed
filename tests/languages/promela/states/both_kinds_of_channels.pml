// SPIN stores 32 states.
chan c=[0] of {byte}; chan d=[2] of {byte}; byte x;
active proctype A() { do :: c!1 :: d!2 :: x>3 -> break od }
active proctype B() { do :: c?x :: d?x -> x = x+3 :: x>4 -> break od }
