// SPIN stores 13 states.
byte x; chan q=[1] of {byte};
active proctype A() { { do :: q?x :: x==3 -> break od } unless { timeout -> x = 9 }; x = 4 }
active proctype B() { q!1; q!2; q!3; x==4 -> q!5 }
