// SPIN stores 4 states.
byte x;
active proctype A() { goto L2; L1: do :: x==0 -> goto L3 :: x==1 -> break od; L2: if :: x==0 -> x=1; goto L1 :: x==2 fi; L3: x = 2; goto L2 }
