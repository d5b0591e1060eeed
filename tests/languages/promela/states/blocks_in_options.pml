// SPIN stores 10 states.
byte x;
active proctype A() { do :: x < 2 -> if :: x++ :: x = 2 fi :: x==2 -> { x = 3; x = 0; goto D } od; D: skip }
