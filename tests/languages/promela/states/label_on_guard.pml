// SPIN stores 9 states.
byte x;
active proctype A() { do :: E: x<3 -> x++ :: x==3 -> break od; if :: x==3 -> goto E :: x==4 fi }
