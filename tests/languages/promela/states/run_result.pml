// SPIN stores 20 states.
byte p,q;
proctype P() { skip }
init { p = run P(); q = run P(); (_nr_pr==1); p = q }
