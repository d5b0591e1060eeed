// SPIN stores 11 states
chan c = [3] of { byte, short };
int x, y;
active proctype P() {
	c!!100,1;
	c!!300,2;     /* goes behind 100, and is stored as 44 */
	c!!44,70000;  /* goes first: 44 is not larger than 100 */
	c?x,y; x == 44 && y == 4464;
	c?x,y; x == 100;
	c?x,y; x == 44 && y == 2
}
