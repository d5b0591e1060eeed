// SPIN stores 251 states.
byte n;
proctype P(byte k) { byte z=k; n = n + z; if :: k>0 -> run P(k-1) :: else fi }
init { run P(2); run P(1); n == 4 -> skip }
