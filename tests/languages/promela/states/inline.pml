// SPIN stores 18 states.
byte x;
inline f(a,b) { byte t; t = a; if :: t > b -> x = t :: else -> goto out fi; x++; out: skip }
active proctype A() { f(1,2); f(x+1, 0); f(3,1) }
