/*
 * Stable marriage (Gale and Shapley, 1962; McVitie and Wilson, 1971) played out by concurrent suitors.
 *
 * Every suitor proposes to the ladies in the order of his list. A lady who is free, or who prefers the newcomer,
 * accepts; the suitor she leaves is told so and proposes to the next on his list. When all ladies have a partner
 * the registrar marries everybody. Looking at a lady's present partner and taking his place must be one action.
 *
 * Parameters: N     suitors and as many ladies (default 3)
 *             FIXED looking and taking are one atomic action
 * Answers:    default: deadlock. Two suitors see the same lady free, both take her, and the one who is overwritten
 *             never hears of it, so one lady stays alone and the registrar waits for ever. FIXED: no error, and
 *             the marriages are stable (asserted at the end).
 */
#ifndef N
#define N 3
#endif

#define NOBODY 255

/* Suitors all begin with lady 0, so that they collide; each lady likes another suitor best. */
#define choice(suitor, turn) (((turn) == 0) -> 0 : (((suitor) + (turn) - 1) % (N - 1) + 1))
#define place(suitor, lady)  (((lady) == 0) -> 0 : (((lady) + N - 2 - (suitor) % (N - 1)) % (N - 1) + 1))
#define rank(lady, suitor)   (((suitor) + 2 * (lady) + 1) % N)

mtype = { jilted, married };

byte partner[N] = NOBODY;
chan mail[N] = [N] of { mtype };

#ifdef FIXED
#define INDIVISIBLE atomic
#else
#define INDIVISIBLE
#endif

proctype Suitor(byte me)
{
	byte turn, lady, rival;

propose:
	assert(turn < N);
	lady = choice(me, turn);
	turn++;
	INDIVISIBLE {
		rival = partner[lady];
		if
		:: rival == NOBODY ->
			partner[lady] = me
		:: rival != NOBODY && rank(lady, me) < rank(lady, rival) ->
			partner[lady] = me;
			mail[rival]!jilted
		:: else ->
			goto propose
		fi
	};
	if
	:: mail[me]?jilted -> goto propose
	:: mail[me]?married
	fi
}

/* No suitor and lady may prefer each other to those whom they got. */
inline check_stability()
{
	byte lady, other, suitor;

	for (lady : 0 .. N - 1) {
		for (other : 0 .. N - 1) {
			suitor = partner[other];
			assert(lady == other || place(suitor, other) < place(suitor, lady)
				|| rank(lady, partner[lady]) < rank(lady, suitor))
		}
	}
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Suitor(i)
		}
	};
	for (i : 0 .. N - 1) {
		(partner[i] != NOBODY)
	};
	atomic { check_stability() };
	for (i : 0 .. N - 1) {
		mail[i]!married
	};
	(_nr_pr == 1)
}
