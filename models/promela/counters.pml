/*
 * N counters that count modulo M, one statement a step: the plainest space there is, for measuring speed.
 *
 * Parameters: N counters (default 4)
 *             M values of each (default 10)
 * Answers:    no error; exactly M to the power N states.
 */
#ifndef N
#define N 4
#endif
#ifndef M
#define M 10
#endif

byte value[N];

active [N] proctype Counter()
{
	do
	:: value[_pid] = (value[_pid] + 1) % M
	od
}
