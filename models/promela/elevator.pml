/*
 * An elevator: a cabin, a door, a button on every floor, and a controller that serves the calls.
 * In the manner of the elevator that the literature on directed model checking takes from a Java applet of
 * A. Biere; this is our own model of the same situation.
 *
 * The controller sweeps up and down and stops where there is a call. Cabin and door are machines of their own and
 * obey orders given by handshake.
 *
 * Parameters: N      floors (default 3)
 *             FAULTY the controller gives the order to move without waiting for the door to report that it is shut
 * Answers:    default: no safety error; the response property `served` fails, since nothing forces the controller
 *             to act while buttons are pressed over and over. FAULTY: the assertion in the cabin fails (it moves
 *             while the door is open).
 */
#ifndef N
#define N 3
#endif

mtype:order = { Up, Down, Open, Shut };

chan motor = [0] of { mtype:order };
chan hinge = [0] of { mtype:order };
chan report = [1] of { bool };
chan arrived = [0] of { byte };

bool called[N];
bool open;
byte floor;

/* Anybody may press a button where the cabin is not standing open. */
active [N] proctype Button()
{
end:	do
	:: atomic { !called[_pid] && !(open && floor == _pid) -> called[_pid] = true }
	od
}

active proctype Cabin()
{
end:	do
	:: motor?Up ->
		assert(!open);
		floor++;
		arrived!floor
	:: motor?Down ->
		assert(!open);
		floor--;
		arrived!floor
	od
}

active proctype Door()
{
end:	do
	:: hinge?Open -> open = true; report!true
	:: hinge?Shut ->
		open = false;
#ifndef FAULTY
		report!false
#endif
	od
}

inline serve()
{
	hinge!Open;
	report?true;
	called[floor] = false;
	hinge!Shut;
#ifndef FAULTY
	report?false
#endif
}

active proctype Controller()
{
	mtype:order way = Up;
	byte i;
	bool wanted;

end:	do
	:: called[floor] ->
		serve()
	:: !called[floor] ->
		/* Is there a call ahead, in the present direction? */
		d_step {
			wanted = false;
			i = 0;
			do
			:: i < N ->
				wanted = wanted || (called[i] && (way == Up -> i > floor : i < floor));
				i++
			:: else -> break
			od;
			i = 0
		};
		if
		:: wanted -> motor!way; arrived?eval(floor)
		:: !wanted && (way == Up) -> way = Down
		:: else -> way = Up
		fi
	od
}

ltl served { [] (called[0] -> <> (open && floor == 0)) }
ltl inside { [] (floor < N) }
