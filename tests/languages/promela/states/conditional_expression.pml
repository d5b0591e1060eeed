// SPIN stores 10 states.
byte x;
active proctype A() { do :: x < 5 -> x = (x%2 -> x+1 : x+2) :: x >= 5 -> break od; x = (x > 3 && x < 9 -> ~x : -x) }
