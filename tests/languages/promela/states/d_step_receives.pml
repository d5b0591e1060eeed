// SPIN stores 17 states.
chan c=[0] of {byte}; chan d=[1] of {byte}; byte x,y;
active proctype A() { d_step { c?x; y=x; x=0 }; d_step { d?x; y++ ; d!y } ; d?x }
active proctype B() { c!3; d!4; y = 7 }
