/*
 * A pipeline: a source feeds letters of an alphabet of M into a chain of N buffered stages, a sink takes them out.
 * Nearly all of the state is in channels, which makes it a measure for how they are stored.
 *
 * Parameters: N   stages (default 3)
 *             M   letters (default 2)
 *             CAP capacity of each channel (default 2)
 * Answers:    no error; grows roughly with (1 + M + .. + M^CAP)^N.
 */
#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif
#ifndef CAP
#define CAP 2
#endif

chan pipe[N + 1] = [CAP] of { byte };

proctype Stage(chan in, out)
{
	byte letter;

	xr in;
	xs out;
end:	do
	:: in?letter -> out!letter; letter = 0
	od
}

active proctype Source()
{
	byte letter;

	do
	:: select (letter : 0 .. M - 1);
		pipe[0]!letter;
		letter = 0
	od
}

active proctype Sink()
{
end:	do
	:: pipe[N]?_
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Stage(pipe[i], pipe[i + 1])
		}
	}
}
