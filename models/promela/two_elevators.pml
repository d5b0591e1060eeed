/*
 * Two elevators that go to the nearest call, and so may never come to a floor on which somebody waits.
 * In the manner of the 2-elevator model of Edelkamp and Jabbar (Large-scale directed model checking LTL, SPIN 2006), of
 * which the paper gives neither text nor formula; this is our own model.
 *
 * An elevator takes the nearest call to which the other does not go, the higher one if two are equally near, goes there
 * floor by floor, opens and shuts.
 *
 * Parameters: N      floors, 3 or 4 (default 3)
 *             SWEEP  an elevator goes on in its direction as long as somebody calls there
 * Answers:    no safety error. attended: violated, since nothing forces anybody to move. starved: a call may wait for
 *             ever while both elevators go from floor to floor; with SWEEP it holds.
 */
#ifndef N
#define N 3
#endif

#define NOWHERE N
#define CALL(i)   (called[i] && !taken[i])
#define FAR(i)    (i > floor[me] -> i - floor[me] : floor[me] - i)
#ifdef SWEEP
#define AHEAD(i)  (up -> i >= floor[me] : i <= floor[me])
#define NEARER(j, i) (AHEAD(j) == AHEAD(i) -> FAR(j) < FAR(i) : AHEAD(j))
#else
#define NEARER(j, i) (FAR(j) < FAR(i) || (FAR(j) == FAR(i) && j > i))
#endif
#define BETTER(j, i) (CALL(j) && NEARER(j, i))
#if N > 3
#define TOP(i)    BETTER(3, i)
#else
#define TOP(i)    false
#endif

bool called[N];
bool taken[N];    /* some elevator goes to this call */
byte floor[2];
bool going[2];    /* to another floor */
bool gone[2];     /* there, in this round */
bool round;       /* changes when both have */

/* Presses buttons, one after the other. */
active proctype Lobby()
{
	byte at;
end:	do
	:: !called[at] -> called[at] = true
	:: at = (at + 1) % N
	od
}

proctype Elevator(bit me)
{
	byte goal = NOWHERE;
	bool up = true;

end:	do
	:: d_step { goal == NOWHERE && CALL(0) && !BETTER(1, 0) && !BETTER(2, 0) && !TOP(0) ->
		goal = 0; taken[0] = true; going[me] = floor[me] > 0; up = false }
	:: d_step { goal == NOWHERE && CALL(1) && !BETTER(0, 1) && !BETTER(2, 1) && !TOP(1) ->
		goal = 1; taken[1] = true; going[me] = floor[me] != 1; up = (floor[me] == 1 -> up : floor[me] < 1) }
	:: d_step { goal == NOWHERE && CALL(2) && !BETTER(0, 2) && !BETTER(1, 2) && !TOP(2) ->
		goal = 2; taken[2] = true; going[me] = floor[me] != 2; up = (floor[me] == 2 -> up : floor[me] < 2) }
#if N > 3
	:: d_step { goal == NOWHERE && CALL(3) && !BETTER(0, 3) && !BETTER(1, 3) && !BETTER(2, 3) ->
		goal = 3; taken[3] = true; going[me] = floor[me] < 3; up = true }
#endif
	:: goal != NOWHERE && goal > floor[me] -> floor[me]++
	:: goal < floor[me] -> floor[me]--
	:: goal == floor[me] ->
		d_step {
			called[goal] = false; taken[goal] = false;
			gone[me] = gone[me] || going[me]; going[me] = false;
			if
			:: gone[0] && gone[1] -> round = !round; gone[0] = false; gone[1] = false
			:: else
			fi
		};
		goal = NOWHERE
	od
}

init
{
	atomic { run Elevator(0); run Elevator(1) }
}

ltl attended { [] (called[0] -> <> !called[0]) }
ltl starved { ([]<> round && []<> !round) -> [] (called[0] -> <> !called[0]) }
