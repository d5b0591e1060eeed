/*
 * Dining philosophers (Dijkstra, 1971): each of N takes the fork on the left, then the one on the right.
 *
 * Parameters: N       philosophers (default 4)
 *             ORDERED the last philosopher takes the forks the other way round, which breaks the circle
 * Answers:    default: deadlock after N steps, each philosopher holding one fork (SPIN's depth-first search finds
 *             a much longer way to it). ORDERED: no error.
 */
#ifndef N
#define N 4
#endif

bool taken[N];

#define left(i)  (i)
#define right(i) (((i) + 1) % N)

inline take(fork)
{
	atomic { !taken[fork] -> taken[fork] = true }
}

inline drop(fork)
{
	taken[fork] = false
}

active [N] proctype Philosopher()
{
	byte first = left(_pid), second = right(_pid);

#ifdef ORDERED
	if
	:: _pid == N - 1 -> d_step { first = right(_pid); second = left(_pid) }
	:: else
	fi;
#endif
think:
	take(first);
	take(second);
eat:
	drop(second);
	drop(first);
	goto think
}
