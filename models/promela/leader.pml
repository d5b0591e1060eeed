/*
 * Leader election in a unidirectional ring, after Dolev, Klawe and Rodeh (J. Algorithms 3, 1982).
 *
 * Every node begins active and holds a number. An active node tells its number to its right-hand neighbour, hears
 * the number of the nearest active node on its left (`First`) and the number of the one before that (`Second`).
 * It stays active, with its neighbour's number, if that number is a local maximum; else it only relays from then
 * on. A node that hears its own number has heard the maximum come round the ring: it declares the leader.
 *
 * Parameters: N      nodes (default 3)
 *             FAULTY all nodes carry the same number, which the algorithm forbids
 * Answers:    correct: no error. FAULTY: the assertion `leaders == 1` fails; the shortest error grows slowly with N
 *             while the space grows exponentially, which made this a standard example of directed search.
 */
#ifndef N
#define N 3
#endif

mtype:message = { First, Second, Elected };

chan ring[N] = [2] of { mtype:message, byte };
byte leaders;

#ifdef FAULTY
#define NUMBER(i) N
#else
#define NUMBER(i) ((2 * (i)) % N + (((N % 2 == 0) && (2 * (i) >= N)) -> 1 : 0) + 1)
#endif

proctype Node(byte place; byte number)
{
	chan in = ring[place];
	chan out = ring[(place + 1) % N];
	byte left, heard;

	xr in;
	xs out;

active_node:
	out!First(number);
	in?First(left);
	if
	:: left == number ->
		leaders++;
		assert(leaders == 1);
		out!Elected(number);
		in?Elected(_);
		goto done
	:: else
	fi;
	out!Second(left);
	in?Second(heard);
	if
	:: left > heard && left > number ->
		number = left;
		goto active_node
	:: else
	fi;

relay:
	if
	:: in?First(heard) -> out!First(heard); goto relay
	:: in?Second(heard) -> out!Second(heard); goto relay
	:: in?Elected(heard) -> out!Elected(heard)
	fi;
done:
	skip
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Node(i, NUMBER(i))
		}
	}
}
