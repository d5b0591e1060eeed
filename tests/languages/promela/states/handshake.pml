// SPIN stores 29 states.
chan c=[0] of {byte}; byte x;
active proctype A() { byte i; do :: i<3 -> c!i; i++ :: else -> break od }
active proctype B() { byte j; do :: c?j -> x=j :: c?1 -> x = 7 od }
