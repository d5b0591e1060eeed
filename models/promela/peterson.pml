/*
 * Peterson's mutual exclusion for N processes, the filter lock (Inf. Proc. Letters 12, 1981): a process climbs
 * through N - 1 levels, and at each level the last to arrive waits while anybody else is at that level or above.
 *
 * Parameters: N      processes (default 3)
 *             FAULTY a process announces itself as the last at a level before it announces its level
 * Answers:    default: no error. FAULTY: the assertion in the critical section fails.
 */
#ifndef N
#define N 3
#endif

byte level[N];
byte last[N];
byte critical;

inline announce(l)
{
#ifdef FAULTY
	last[l] = _pid;
	level[_pid] = l
#else
	level[_pid] = l;
	last[l] = _pid
#endif
}

active [N] proctype Process()
{
	byte l, other;

again:
	l = 1;
	do
	:: l < N ->
		announce(l);
		other = 0;
		do
		:: other < N && (other == _pid || level[other] < l) -> other++
		:: other == N -> break
		:: last[l] != _pid -> break
		od;
		l++
	:: else -> break
	od;
	critical++;
	assert(critical == 1);
	critical--;
	level[_pid] = 0;
	goto again
}
