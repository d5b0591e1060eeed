// SPIN stores 14 states.
byte x;
proctype P() { x++ }
init { run P(); run P(); _nr_pr==1; x = 9 }
