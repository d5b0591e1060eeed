// SPIN stores 36 states.
byte x,y;
active proctype A() { if :: x==0 -> goto M :: x==1 fi; atomic { x=2; M: x=3; x=4; y==1 -> x=5 }; x=6 }
active proctype B() { y=1; x=1; y = 2 }
