// SPIN stores 34 states.
byte x,y;
active proctype A() { atomic { if :: x==0 -> y=1 :: x==1 -> y=2; y = 3 fi }; y = 4; atomic { do :: y<6 -> y++ :: y==6 -> break od }; y = 0; if :: atomic { x==1 -> y=7; y = 8 } :: atomic { y=9; x==2 -> y=10 } fi }
active proctype B() { x=1; x= 2}
