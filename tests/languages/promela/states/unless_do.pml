// SPIN stores 81 states.
byte x,y;
active proctype A() { do :: x<3 -> x++ :: x==3 -> break od unless { if :: y==1 -> x=9 :: y == 2 -> x = 8 fi }; x = 5 }
active proctype B() { y=2; y=1; y = 3 }
