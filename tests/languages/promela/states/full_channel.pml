// SPIN stores 7 states.
chan q=[1] of {byte}; byte x;
active proctype A() { do :: full(q) -> break :: q!x; x++ od; if :: q!3 :: full(q) && x==1 -> q?x fi }
