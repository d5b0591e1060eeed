// SPIN stores 20 states.
byte x,y;
active proctype A() { d_step { x=1; goto L; x=2; L: x=3; do :: x<6 -> x++; if :: x==5 -> goto M :: else fi :: else -> break od; M: y=1 }; x = 9; d_step { do :: y<3 -> y++ :: y==3 -> break od } }
active proctype B() { y=2 }
