// SPIN stores 129 states.
chan q[3]=[1] of {byte,chan}; byte x;
active [3] proctype A() { chan r; q[_pid]!_pid,q[(_pid+1)%3]; q[(_pid+2)%3]?x,r; r!x,q[0]; }
