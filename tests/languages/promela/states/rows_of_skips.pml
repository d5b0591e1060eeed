// SPIN stores 22 states.
byte x;
active proctype A() { skip; skip; do :: skip; skip; printf("x"); skip; x=1; skip; skip :: break od; printf("a"); printf("b"); { skip; skip } }
