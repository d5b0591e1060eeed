// SPIN stores 19 states.
chan a=[0] of {byte}; chan b=[0] of {byte}; byte x;
active proctype A() { atomic { a!1; x=1; b!2; x=2 } }
active proctype B() { byte z; atomic { a?z; x=3; b?z; x=4 } }
active proctype C() { byte z; x=7; b?z; x = 8}
