/*
 * Dining philosophers who take both forks in one atomic step: nobody can block with one fork in hand, so there is
 * no deadlock, but two neighbours can take turns so that the one between them starves.
 *
 * Parameters: N philosophers (default 4)
 * Answers:    no safety error; the response property `served` fails (two neighbours eat in turn).
 *             `exclusive` holds.
 */
#ifndef N
#define N 4
#endif

mtype:feeling = { thinking, hungry, eating };

mtype:feeling mood[N] = thinking;

#define previous(i) (((i) + N - 1) % N)
#define next(i)     (((i) + 1) % N)

active [N] proctype Philosopher()
{
	do
	:: mood[_pid] = hungry;
		atomic {
			mood[previous(_pid)] != eating && mood[next(_pid)] != eating ->
				mood[_pid] = eating
		};
progress:	assert(mood[next(_pid)] != eating);
		mood[_pid] = thinking
	od
}

ltl served    { [] (mood[0] == hungry -> <> (mood[0] == eating)) }
ltl exclusive { [] !(mood[0] == eating && mood[1] == eating) }
