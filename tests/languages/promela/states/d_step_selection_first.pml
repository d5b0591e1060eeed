// SPIN stores 35 states.
byte x,y; chan c = [1] of {byte};
active proctype A() { do :: d_step { if :: x==1 -> y=1 :: x==2 -> y=2 :: c?[3] -> y = 4 fi; x = 0 } :: d_step { do :: y>0 -> y-- :: y==0 -> break od; skip } :: x==3 -> break od }
active proctype B() { x=1; x=2; c!3; x==0; x = 3 }
