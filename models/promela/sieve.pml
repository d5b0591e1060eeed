/*
 * The sieve of Eratosthenes with one process for every prime, each begun by the one before and given the channel
 * on which its numbers come: processes and channels that are made, passed on and die at run time.
 * (The network is that of Kahn and MacQueen, 1977.)
 *
 * Parameters: N   the numbers 2 .. N are sifted (default 10)
 *             CAP capacity of the channels (default 1)
 * Answers:    no error; the last process counts the primes and compares (4 up to 10, 5 up to 12, 6 up to 16).
 */
#ifndef N
#define N 10
#endif
#ifndef CAP
#define CAP 1
#endif

#define END 0

byte primes;

proctype Sieve(byte prime; chan in)
{
	chan out = [CAP] of { byte };
	byte number;
	bool begun;

	primes++;
	do
	:: in?number ->
		if
		:: number == END -> break
		:: number != END && number % prime == 0         /* sifted out */
		:: else ->
			if
			:: begun -> out!number
			:: else ->
				begun = true;
				run Sieve(number, out)
			fi
		fi
	od;
	if
	:: begun -> out!END
	:: else
	fi
}

init {
	chan out = [CAP] of { byte };
	byte i;

	run Sieve(2, out);
	for (i : 3 .. N) {
		out!i
	};
	out!END;
	(_nr_pr == 1);
	assert(primes == 4 || N > 10 || N < 7);
	assert(primes == 5 || N > 12 || N < 11)
}
