// SPIN stores 65 states.
chan c=[1] of {byte}; chan d=[0] of {byte}; byte x;
active proctype A() { do :: c?x :: d!1 :: x>3 -> break :: else -> x++ od }
active proctype B() { c!1; d?_; c!2 }
