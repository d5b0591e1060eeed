/*
 * A sliding window protocol, go-back-n (Stenning, Computer Networks 1, 1976; Tanenbaum's protocol 5).
 *
 * The sender keeps up to WINDOW unacknowledged messages on the way, numbered modulo MODULUS; the receiver takes
 * messages in order only and acknowledges the number it expects next. Both channels may lose; when nothing else can
 * happen the sender starts the window again. MODULUS must be greater than WINDOW, else the receiver takes a
 * repeated message for a new one.
 *
 * Parameters: N      size of the window (default 2)
 *             FAULTY MODULUS is N instead of N + 1
 * Answers:    default: no error. FAULTY: the assertion in the receiver fails.
 */
#ifndef N
#define N 2
#endif

#define WINDOW N
#ifdef FAULTY
#define MODULUS N
#else
#define MODULUS (N + 1)
#endif
#define ITEMS (2 * N + 1)       /* items differ modulo this, more than can be confused */

chan data = [WINDOW] of { byte, byte };         /* sequence number, item */
chan acks = [1] of { byte };                    /* sequence number that is expected next */

inline increment(x, modulus)
{
	x = (x + 1) % modulus
}

active proctype Sender()
{
	byte base, base_item;   /* the oldest unacknowledged message */
	byte sent;              /* how many of the window are on the way */
	byte expected, distance;

	do
	:: sent < WINDOW ->
		data!((base + sent) % MODULUS), ((base_item + sent) % ITEMS);
		sent++
	:: acks?expected ->
		atomic {
			distance = (expected + MODULUS - base) % MODULUS;
			do
			:: distance > 0 ->
				increment(base, MODULUS);
				increment(base_item, ITEMS);
				sent = (sent > 0 -> sent - 1 : 0);
				distance--
			:: else -> break
			od;
			expected = 0
		}
	:: timeout ->
		sent = 0                /* go back: the whole window once more */
	od
}

active proctype Receiver()
{
	byte next, next_item;
	byte number, item;

end:	do
	:: data?number,item ->
		if
		:: number == next ->
			assert(item == next_item);
			d_step {
				increment(next, MODULUS);
				increment(next_item, ITEMS)
			}
		:: else
		fi;
		if
		:: acks!next
		:: full(acks)           /* nobody listens: the next one says as much */
		fi;
		d_step { number = 0; item = 0 }
	od
}

active proctype Loss()
{
end:	do
	:: data?_,_
	:: acks?_
	od
}
