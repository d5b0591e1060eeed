// SPIN stores 56 states.
chan c=[0] of {byte}; chan d=[0] of {byte}; byte y;
active proctype A() { byte k; { c?k; k=3; c?k; k = 5 } unless { d?k -> y=4 } }
active proctype B() { y=1; c!2; y = 5 }
active proctype C() { d!3; y = 6 }
