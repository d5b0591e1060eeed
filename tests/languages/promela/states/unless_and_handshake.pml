// SPIN stores 19 states.
chan c=[0] of {byte}; byte y;
active proctype A() { byte k; { c?k; k=3 } unless { y==1 -> y=4 } }
active proctype B() { y=1; c!2; y = 5 }
