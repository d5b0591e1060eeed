// SPIN stores 60 states.
chan c=[0] of {byte}; byte x;
active proctype A() { atomic { x=1; c!3; x=2; x=3 } }
active proctype B() { byte j; c?j; x=4; x=5  ; x = 6 }
active proctype C() { x=9 }
