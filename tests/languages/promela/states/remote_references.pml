// SPIN stores 44 states.
byte x;
active proctype B() { byte l=1; cs: x = 2; l = 3; lab: goto E; E: x = 4 }
active proctype A() { do :: B[0]@cs -> x = 7 :: B[0]:l == 3 -> x=9; break :: B@lab -> x = 11; break od }
