// SPIN stores 141 states.
chan c=[3] of {byte,bit}; byte x;
active proctype A() { c!!3,0; c!!1,1; c!!2,0; c!!1,0 }
active proctype B() { byte a; bit b; do :: c??2,b :: c?a,b :: c?<a,eval(b)> :: c??[3,_] -> x = 1; break  od }
