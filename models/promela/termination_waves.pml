/*
 * The end of a distributed search as Beeline does it (after Mattern, Algorithms for distributed termination detection,
 * 1987). Ranks form a tree. An order goes down it; a rank that has no work, and has heard of all below it, sends up how
 * many lines of states they have sent and received. The first rank ends the search when two waves in a row give the same
 * numbers, as many received as sent. Whoever receives a line has work again.
 *
 * Parameters: N     ranks, 2 to 4 (default 3)
 *             ARITY of the tree (default 2; 1 is a chain)
 *             LINES that are sent at all (default 3)
 *             ONCE  one wave with equal numbers is enough
 * Answers:    default: no error. ONCE: the search is ended while somebody works.
 */
#ifndef N
#define N 3
#endif
#ifndef ARITY
#define ARITY 2
#endif
#ifndef LINES
#define LINES 3
#endif

bool busy[N];              /* has states to expand */
byte sent[N], received[N]; /* lines */
byte under_way[N];         /* lines, by their receiver: all are alike, whoever sent them */
byte all_sent;
bool is_begun, ended;

bool ordered[N];                   /* an order is on its way to the rank */
bool asked[N];                     /* it has come, and is not answered */
bool answered[N];                  /* the answer is on its way to the rank above */
bool heard[N];                     /* and has come there */
byte sum_sent[N], sum_received[N]; /* of the rank and those below it, as it answered */

byte last_sent, last_received; /* what the wave before this one said */
bool is_first_wave = true;

#ifdef ONCE
#define is_enough true
#else
#define is_enough (!is_first_wave && sum_sent[0] == last_sent && sum_received[0] == last_received)
#endif

#define above(rank)     ((rank - 1) / ARITY)
#define is_below(rank)  (rank < N && rank > 0 && above(rank) == _pid)
#define has_heard(rank) (!is_below(rank) || heard[rank])
#define may_send(to)    (!ended && to < N && busy[_pid] && all_sent < LINES && _pid != to)

inline send(to)
{
	sent[_pid]++;
	all_sent++;
	under_way[to]++
}

inline order(rank)
{
	if
	:: is_below(rank) -> ordered[rank] = true
	:: else
	fi
}

inline order_all()
{
	order(1);
	order(2);
	order(3);
	asked[_pid] = true
}

inline add(rank)
{
	if
	:: is_below(rank) ->
		sum_sent[_pid] = sum_sent[_pid] + sum_sent[rank];
		sum_received[_pid] = sum_received[_pid] + sum_received[rank];
		heard[rank] = false
	:: else
	fi
}

inline judge()
{
	if
	:: sum_sent[0] == sum_received[0] && is_enough -> ended = true
	:: else ->
		last_sent = sum_sent[0];
		last_received = sum_received[0];
		is_first_wave = false;
		order_all()
	fi
}

inline answer()
{
	asked[_pid] = false;
	sum_sent[_pid] = sent[_pid];
	sum_received[_pid] = received[_pid];
	add(1);
	add(2);
	add(3);
	if
	:: _pid == 0 -> judge()
	:: else -> answered[_pid] = true
	fi
}

inline hear(rank)
{
	answered[rank] = false;
	heard[rank] = true
}

active [N] proctype Rank()
{
	byte i;

end:
	do
	/* The initial state belongs to the first rank, which also begins the first wave. */
	:: d_step { _pid == 0 && !is_begun -> is_begun = true; busy[0] = true; order_all() }

	:: d_step { may_send(0) -> send(0) }
	:: d_step { may_send(1) -> send(1) }
	:: d_step { may_send(2) -> send(2) }
	:: d_step { may_send(3) -> send(3) }
	:: d_step { busy[_pid] -> busy[_pid] = false }
	:: d_step { under_way[_pid] > 0 -> under_way[_pid]--; received[_pid]++; busy[_pid] = true;
		assert(!ended) }

	:: d_step { ordered[_pid] -> ordered[_pid] = false; order_all() }
	:: d_step { asked[_pid] && !busy[_pid] && has_heard(1) && has_heard(2) && has_heard(3) -> answer();
		i = 0;
		do
		:: i < N && ended -> assert(!busy[i] && under_way[i] == 0); i++
		:: else -> break
		od;
		i = 0 }
	:: d_step { is_below(1) && answered[1] -> hear(1) }
	:: d_step { is_below(2) && answered[2] -> hear(2) }
	:: d_step { is_below(3) && answered[3] -> hear(3) }
	od
}
