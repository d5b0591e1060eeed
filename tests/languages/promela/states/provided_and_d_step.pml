// SPIN stores 9 states
byte x;
active proctype P() provided (x != 1) {
	d_step { x = 1; x = x + 1; x = 0 };
	d_step { if :: x == 0 -> x = 1 :: else fi; x = 1 };
	x = 3
}
active proctype Q() { x == 1 -> x = 2 }
