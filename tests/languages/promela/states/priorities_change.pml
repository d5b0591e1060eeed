// SPIN stores 15 states.
byte x;
proctype P(byte k) { x=k; x=k+1; set_priority(_pid, 5); x = k+2 }
active proctype A() priority 4 { run P(1) priority 6; run P(4) priority 2; x = 0; atomic { x=7; x=8 } } 
active proctype Z() priority 1 { do :: x==8 -> x=9 :: x==9 -> break od }
