// SPIN stores 17 states.
byte x; chan c=[1] of {byte};
active proctype A() { do :: c?x :: timeout -> break od }
active proctype B() { c!1; c!2; timeout -> c!3 }
