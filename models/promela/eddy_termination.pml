/*
 * The end of a distributed search as published (Melatti and others, Parallel and distributed model checking in Eddy,
 * 2006): nodes send each other lines of states, and whoever receives one has work again. A token goes round a ring; each
 * node forwards it when it has no work, and adds how many lines it has sent and received. If the sums are equal when it
 * is back, the first node ends the search.
 *
 * Parameters: LINES that are sent at all (default 2)
 * Answers:    the search is ended while somebody works, after 13 steps: the first node sends a line to the last one, the
 *             token overtakes it, and the answer of the last node comes to the first one before the token does.
 */
#ifndef LINES
#define LINES 2
#endif
#define N      3
#define NOBODY N

bool busy[N] = { true, false, false }; /* has states to expand; the initial one belongs to the first node */
byte sent[N], received[N];             /* lines */
byte under_way[N];                     /* lines, by their receiver: all are alike, whoever sent them */
byte all_sent;

byte holder = NOBODY, next = NOBODY; /* of the token; while it moves, it is on its way to `next` */
byte token_sent, token_received;
bool ended;

#define may_send(to) (!ended && busy[_pid] && all_sent < LINES && _pid != to)

inline send(to)
{
	sent[_pid]++;
	all_sent++;
	under_way[to]++
}

inline judge()
{
	holder = NOBODY;
	if
	:: token_sent + sent[0] == token_received + received[0] ->
		ended = true;
		assert(!busy[1] && !busy[2] && under_way[0] + under_way[1] + under_way[2] == 0)
	:: else
	fi
}

active [N] proctype Node()
{
end:
	do
	:: d_step { may_send(0) -> send(0) }
	:: d_step { may_send(1) -> send(1) }
	:: d_step { may_send(2) -> send(2) }
	:: d_step { busy[_pid] -> busy[_pid] = false }
	:: d_step { under_way[_pid] > 0 -> under_way[_pid]--; received[_pid]++; busy[_pid] = true }

	/* The token: it is begun by the first node, received, forwarded, and judged. */
	:: d_step { _pid == 0 && !ended && !busy[0] && holder == NOBODY && next == NOBODY ->
		token_sent = 0; token_received = 0; next = 1 }
	:: d_step { next == _pid -> next = NOBODY; holder = _pid }
	:: d_step { _pid != 0 && holder == _pid && !busy[_pid] ->
		token_sent = token_sent + sent[_pid]; token_received = token_received + received[_pid];
		holder = NOBODY; next = (_pid + 1) % N }
	:: d_step { _pid == 0 && holder == 0 && !busy[0] -> judge() }
	od
}
