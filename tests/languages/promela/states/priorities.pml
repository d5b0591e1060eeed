// SPIN stores 14 states.
byte x;
active proctype A() priority 2 { x=1; x=2; x==5; x=3 }
active proctype B() priority 3 { x==2; x=4; x=5 }
active proctype C() { x=6 ; set_priority(0,9) ; x = 8}
