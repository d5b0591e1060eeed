/*
 * An operator carries out a written procedure on a plant: a control valve of a steam generator is exchanged while the
 * others go on working. In the manner of the model SGC of W. Zhang (Model checking operator procedures, SPIN 1999), on
 * which Edelkamp and Jabbar measured directed search for lassos (SPIN 2006); this is our own, smaller model.
 *
 * Every generator has a valve that goes through its positions by itself, a stop valve and a pump that obey orders, and a
 * level that follows the stop valve. The operator gives orders through a desk, by handshake, and waits for what the
 * meters show. A desk watches one meter at a time and tells when it shows what is waited for.
 *
 * Parameters: N       generators (default 2)
 *             HASTY   the pump is stopped before the level has fallen
 * Answers:    no safety error. dry: no pump is stopped while the level is high; violated with HASTY. completes: the
 *             procedure comes to its end; violated, since the plant may go on for ever without the operator, and also with
 *             weak fairness, since the position that is waited for passes; holds with strong fairness. repeated: that
 *             position comes again and again; violated, holds with weak fairness.
 */
#ifndef N
#define N 2
#endif

mtype:position = { Shut, Opening, Open, Closing };
mtype:height = { Low, Middle, High };
mtype:order = { Stop, Start, Close, Release, Await };

mtype:position cycling[N] = Shut;
bool flowing[N] = true;      /* the stop valve is open */
bool pumping[N] = true;
mtype:height level[N] = High;
bool begun, completed;

chan desk = [0] of { mtype:order, byte };
chan done = [0] of { bool };

proctype Valve(byte me)
{
	do
	:: cycling[me] = Opening; cycling[me] = Open; cycling[me] = Closing; cycling[me] = Shut
	od
}

proctype Meter(byte me)
{
end:	do
	:: atomic { !flowing[me] && level[me] == High -> level[me] = Middle }
	:: atomic { !flowing[me] && level[me] == Middle -> level[me] = Low }
	:: atomic { flowing[me] && level[me] == Low -> level[me] = Middle }
	:: atomic { flowing[me] && level[me] == Middle -> level[me] = High }
	od
}

active proctype Desk()
{
	byte which;
end:	do
	:: desk?Close(which) -> flowing[which] = false; done!true
	:: desk?Release(which) -> flowing[which] = true; done!true
	:: desk?Stop(which) -> pumping[which] = false; done!true
	:: desk?Start(which) -> pumping[which] = true; done!true
	:: desk?Await(which) -> cycling[which] == Closing; done!true
	od
}

#define ORDER(what, which) desk!what(which); done?true

proctype Operator(byte which)
{
	begun = true;
	ORDER(Await, which);
	ORDER(Close, which);
#ifndef HASTY
	level[which] == Low;
#endif
	ORDER(Stop, which);
	/* the control valve is exchanged */
	ORDER(Start, which);
	ORDER(Release, which);
	level[which] == High;
	completed = true
}

init
{
	byte i;
	atomic {
		do
		:: i < N -> run Valve(i); run Meter(i); i++
		:: else -> break
		od;
		run Operator(0)
	}
}

ltl dry { [] (!pumping[0] -> level[0] == Low) }
ltl completes { [] (begun -> <> completed) }
ltl repeated { []<> (cycling[0] == Closing) }
