/*
 * Dining philosophers who take both forks at once, started by a process that counts them: nobody ever deadlocks, but a
 * philosopher can starve. After the model of Edelkamp and Jabbar (Large-scale directed model checking LTL, SPIN 2006), as
 * far as the lengths of its lassos tell it: 3N + 4 steps to the cycle and 2 round it.
 *
 * Parameters: N      philosophers (default 8)
 * Answers:    starves: violated, without fairness and with weak fairness (a neighbour's forks come and go).
 */
#ifndef N
#define N 8
#endif

bit taken[N];

proctype Philosopher(byte left)
{
	do
	:: d_step { !taken[left] && !taken[(left + 1) % N] -> taken[left] = 1; taken[(left + 1) % N] = 1 };
eat:	   d_step { taken[left] = 0; taken[(left + 1) % N] = 0 }
	od
}

init
{
	byte i;
	atomic {
		i = 0;
		do
		:: i < N -> run Philosopher(i); i++
		:: else -> break
		od
	}
}

ltl starves { [] (Philosopher[1]@eat -> <> Philosopher[2]@eat) }
