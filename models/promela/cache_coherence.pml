/*
 * A snooping cache-coherence protocol of the MSI kind (after Goodman, ISCA 1983, and the Illinois protocol of
 * Papamarcos and Patel, ISCA 1984): N processors with one cache line each, one bus, one memory.
 *
 * A processor reads or writes. A miss asks for the bus; while the bus is granted the other caches snoop the
 * transaction: they write a modified line back and give it up, or invalidate their copy.
 *
 * Parameters: N        caches (default 3)
 *             STALE    a cache with a shared line forgets to invalidate it when another processor writes
 *             UPGRADE  a cache that upgrades from shared keeps its claim on the line while it waits for the bus,
 *                      and does not answer the bus meanwhile
 * Answers:    default: no error. STALE: an assertion fails (a modified line beside a shared one, or an old value
 *             read). UPGRADE: deadlock of two upgrading caches.
 */
#ifndef N
#define N 3
#endif

mtype:line = { Invalid, Shared, Modified };
mtype:request = { Read, ReadExclusive };

typedef Line {
	mtype:line state = Invalid;
	bit value
}

Line cache[N];
bit memory;
bit latest;             /* the last value written by anybody: what a read must return */

/* The bus: one transaction at a time, snooped by everybody else. */
chan bus = [0] of { pid, mtype:request };
chan snoop[N + 1] = [0] of { mtype:request };   /* the last is connected to nobody */
chan snooped = [0] of { pid };
chan granted[N] = [0] of { bit };

#ifdef UPGRADE
#define ear ((wanted == ReadExclusive -> N : me))
#else
#define ear me
#endif

inline check_coherence()
{
	byte a, b;

	a = 0;
	do
	:: a < N ->
		b = 0;
		do
		:: b < N ->
			assert(a == b || cache[a].state != Modified || cache[b].state == Invalid);
			b++
		:: else -> break
		od;
		a++
	:: else -> break
	od;
	a = 0;
	b = 0
}

inline answer_snoop()
{
	if
	:: cache[me].state == Modified -> memory = cache[me].value
	:: else
	fi;
	if
	:: asked == ReadExclusive ->
#ifdef STALE
		if
		:: cache[me].state == Modified -> cache[me].state = Invalid
		:: else
		fi
#else
		cache[me].state = Invalid
#endif
	:: asked == Read && cache[me].state != Invalid -> cache[me].state = Shared
	:: else
	fi
}

proctype Processor(byte me)
{
	mtype:request asked, wanted;
	bit fetched;

end:	do
	:: cache[me].state != Invalid ->                /* a hit */
		assert(cache[me].value == latest)
	:: atomic {                                     /* writes to its own line */
			cache[me].state == Modified ->
			latest = !latest;
			cache[me].value = latest
		}
	:: snoop[me]?asked ->
		atomic {
			answer_snoop();
			asked = 0
		};
		snooped!me
	:: atomic {                                     /* a miss, or a write to a shared line */
			if
			:: cache[me].state == Invalid -> wanted = Read
			:: cache[me].state != Modified -> wanted = ReadExclusive
			fi
		};
		do
		:: bus!me,wanted ->
			granted[me]?fetched;
			atomic {
				cache[me].value = fetched;
				cache[me].state = (wanted == Read -> Shared : Modified);
				check_coherence();
				fetched = 0
			};
			snooped!me;
			break
		:: snoop[ear]?asked ->
			atomic {
				answer_snoop();
				asked = 0
			};
			snooped!me
		od;
		wanted = 0
	od
}

active proctype Bus()
{
	byte i;
	pid who;
	mtype:request what;

end:	do
	:: bus?who,what ->
		for (i : 0 .. N - 1) {
			if
			:: i != who -> snoop[i]!what; snooped?eval(i)
			:: else
			fi
		};
		granted[who]!memory;
		snooped?eval(who);
		atomic { i = 0; who = 0; what = 0 }
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Processor(i)
		}
	}
}
