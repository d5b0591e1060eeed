// SPIN stores 28 states
byte x;
active proctype P() { do :: x = 1 - x od; L: x = 0 }
active proctype Q() { !P[0]@L; M: skip; if :: P[0]@L :: else fi }
active proctype R() { Q[1]@M -> x = 0 }
