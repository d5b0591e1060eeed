// SPIN stores 20 states.
chan c=[2] of {byte}; byte x;
active proctype A() { do :: nfull(c) -> c!x; x++ :: len(c)==2 && x<4 -> c?_ :: full(c) && x>=4 -> break od; empty(c) || nempty(c) }
