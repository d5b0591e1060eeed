// SPIN stores 487 states.
chan c=[0] of {byte,byte}; byte x;
active [2] proctype A() { c!_pid,1; c!2,_pid }
active [2] proctype B() { byte z,w; do :: c?z,1 -> x=z :: c?2,w -> x = w :: c?eval(x),w od }
