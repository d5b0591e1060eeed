// SPIN stores 10 states.
byte x;
active proctype A() { do :: x==0 -> if :: x==1 -> skip :: else -> x=1 fi :: else -> if :: x==1 -> x=2 :: x==2 -> break fi od }
