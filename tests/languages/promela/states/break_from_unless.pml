// SPIN stores 81 states.
byte x,y;
active proctype A() { do :: x<5 -> do :: x<2 -> x++ :: x>=2 -> x++; break od unless { y==1 -> break } :: x>=5 -> break od }
active proctype B() { y=1; y=0 }
