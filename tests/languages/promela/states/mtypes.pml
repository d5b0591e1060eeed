// SPIN stores 7 states.
mtype={a,b}; mtype:f={p,q,r}; mtype m=b; mtype:f g=r; chan c=[2] of {mtype,mtype:f};
active proctype A() { c!a,q; c!m,g; c?a,g; c?b,eval(r); m = a }
