// SPIN stores 13 states.
hidden byte h; byte x;
active [2] proctype A() { atomic { h = x; h++; x = h }; h = 0 }
