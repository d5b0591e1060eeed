// SPIN stores 28 states.
byte x,y;
active proctype A() { atomic { x=1; d_step { y=1; y=2; x = 2 }; x = 3; d_step { y = 3; x = 4 } }; x = 5 }
active proctype B() { y=5; x = 1}
