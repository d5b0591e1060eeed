// SPIN stores 24 states.
chan a=[1] of {byte}; chan b=[1] of {byte}; chan c; chan d=[1] of {chan}; byte x;
active proctype A() { c=a; c!1; c=b; c!2; if :: a?x :: b?x :: c==b -> d!c; d?c fi; c?x }
active proctype B() { b?x }
