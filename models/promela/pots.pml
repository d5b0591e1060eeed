/*
 * A plain old telephone system: two users, each with a phone handler in the exchange. Our own model of the situation
 * that Kamel and Leue describe (VIP: a visual editor and compiler for v-Promela, TACAS 2000) and that the literature
 * on HSF-SPIN uses.
 *
 * A user lifts the receiver, hears the dial tone, dials, talks, and may hang up at any moment. Handlers speak to
 * each other by messages. A call that is given up leaves messages behind, and a handler that does not clear the
 * line takes them for those of its next call.
 *
 * Parameters: CALLS times that each user lifts the receiver (default 2; 0: without end)
 *             FIXED who hangs up waits until the other end and the own user have confirmed that the line is clear
 * Answers:    default: the assertion in `Observer` fails: both users believe that they talk to each other, and one
 *             handler is in conversation while the other is not. There are deadlocks too, further away: lines that
 *             fill up with messages that nobody takes. FIXED: no error.
 */
#ifndef CALLS
#define CALLS 2
#endif

#define N 2

mtype:gesture = { OffHook, OnHook, Dial };
mtype:sound = { DialTone, BusyTone, Ring, RingBack, Voice, Silence, Cleared };
mtype:signal = { Call, Alerting, Busy, Answered, Hangup, Confirmed };

chan hook[N] = [1] of { mtype:gesture, byte };
chan ear[N] = [1] of { mtype:sound };
chan trunk[N] = [N + 1] of { mtype:signal, byte };

bool talks[N];

#define conversing(i) (Handler[N + (i)]@conversation)

active [N] proctype User()
{
	mtype:sound tone = Silence;
	bool lifted;
	byte lifts;

end:	do
	:: ear[_pid]?tone ->
		talks[_pid] = (lifted && tone == Voice)
	:: atomic {
			!lifted && empty(hook[_pid]) && (lifts < CALLS || CALLS == 0) ->
			lifted = true;
			lifts = (CALLS == 0 -> 0 : lifts + 1);
			tone = Silence;
			hook[_pid]!OffHook(0)
		}
	:: atomic {
			lifted && tone == DialTone && empty(hook[_pid]) ->
			tone = Silence;
			hook[_pid]!Dial((_pid + 1) % N)
		}
	:: atomic {
			lifted && empty(hook[_pid]) ->
			lifted = false;
			talks[_pid] = false;
			hook[_pid]!OnHook(0)
		};
#ifdef FIXED
		do
		:: ear[_pid]?tone ->
			if
			:: tone == Cleared -> break
			:: else
			fi
		od;
#endif
		tone = Silence
	od
}

#define I (_pid - N)

inline say(what)
{
	ear[I]!what
}

/* Gives up the call with the other end. */
inline hang_up()
{
	trunk[other]!Hangup(I);
#ifdef FIXED
	do
	:: trunk[I]?Confirmed(from) -> break
	:: trunk[I]?Hangup(from) -> trunk[from]!Confirmed(I)
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Alerting(_)
	:: trunk[I]?Busy(_)
	:: trunk[I]?Answered(_)
	od;
#endif
	skip
}

inline confirm(who)
{
#ifdef FIXED
	trunk[who]!Confirmed(I)
#else
	skip
#endif
}

active [N] proctype Handler()
{
	byte other, from;

idle:
	atomic { other = 0; from = 0 };
end:	do
	:: hook[I]?OffHook(_) -> say(DialTone); goto dialling
	:: trunk[I]?Call(other) -> trunk[other]!Alerting(I); say(Ring); goto ringing
	:: trunk[I]?Hangup(from) -> confirm(from)
#ifndef FIXED
	:: hook[I]?OnHook(_)
	:: hook[I]?Dial(_)
	:: trunk[I]?Alerting(_)
	:: trunk[I]?Busy(_)
	:: trunk[I]?Answered(_)
#endif
	od;

dialling:
	do
	:: hook[I]?Dial(other) -> trunk[other]!Call(I); goto calling
	:: hook[I]?OnHook(_) -> goto clear
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Hangup(from) -> confirm(from)
#ifndef FIXED
	:: trunk[I]?Alerting(_)
	:: trunk[I]?Busy(_)
	:: trunk[I]?Answered(_)
#endif
	od;

calling:
	do
	:: trunk[I]?Alerting(eval(other)) -> say(RingBack)
	:: trunk[I]?Answered(eval(other)) -> say(Voice); goto conversation
	:: trunk[I]?Busy(eval(other)) -> say(BusyTone); goto over
	:: hook[I]?OnHook(_) -> hang_up(); goto clear
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Hangup(from) -> confirm(from)
	od;

ringing:
	do
	:: hook[I]?OffHook(_) -> trunk[other]!Answered(I); say(Voice); goto conversation
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Hangup(from) ->
		confirm(from);
		if
		:: from == other -> say(Silence); goto idle
		:: else
		fi
	od;

conversation:
	do
	:: hook[I]?OnHook(_) -> hang_up(); goto clear
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Hangup(from) ->
		confirm(from);
		if
		:: from == other -> say(BusyTone); goto over
		:: else
		fi
#ifndef FIXED
	:: trunk[I]?Alerting(_)
	:: trunk[I]?Busy(_)
	:: trunk[I]?Answered(_)
#endif
	od;

over:
	do
	:: hook[I]?OnHook(_) -> goto clear
	:: trunk[I]?Call(from) -> trunk[from]!Busy(I)
	:: trunk[I]?Hangup(from) -> confirm(from)
#ifndef FIXED
	:: trunk[I]?Alerting(_)
	:: trunk[I]?Busy(_)
	:: trunk[I]?Answered(_)
#endif
	od;

clear:
#ifdef FIXED
	say(Cleared);
#endif
	goto idle
}

#define wrong (talks[0] && talks[1] && conversing(0) != conversing(1))

active proctype Observer()
{
end:	atomic { wrong -> assert(!wrong) }
}
