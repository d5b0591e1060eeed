// SPIN stores 51 states.
byte x,y;
active proctype A() { do :: atomic { y<2 -> if :: x==0 -> x=1 :: x==1 -> x=0; y++ fi } :: y==2 -> break od; atomic { if :: x==5 -> goto Z :: y==2 -> skip fi }; Z: y=3 }
active proctype B() { x=1; x=0; x = 1}
