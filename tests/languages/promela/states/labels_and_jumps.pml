// SPIN stores 9 states.
byte x;
active proctype A() { L1: if :: x==0 -> goto L2 :: x==1 -> goto L3 fi; L2: x=1; goto L1; L3: goto L4; L4: skip; { x = 2; goto L5 }; x = 3; L5: end1: goto L6; L6: progress2: x = 5 }
