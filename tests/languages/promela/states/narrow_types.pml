// SPIN stores 35 states.
unsigned a : 1, b : 7; bit c=1; bool d[2]; pid e; byte n;
active proctype A() { do :: n<4 -> n++; a=n; b=b-1; c=n; d[1]=n; e=-n; if :: a==b -> b=200 :: else fi :: else -> break od }
