/*
 * The alternating bit protocol (Bartlett, Scantlebury and Wilkinson, CACM 12, 1969) over channels that lose.
 *
 * Parameters: N      different messages, numbered modulo N (default 4)
 *             FAULTY the receiver acknowledges without looking at the bit, so it takes repeated messages for new
 * Answers:    default: no error. FAULTY: the assertion in the receiver fails.
 */
#ifndef N
#define N 4
#endif

chan forth = [1] of { byte, bit };
chan back  = [1] of { bit };

active proctype Sender()
{
	byte item;
	bit turn, answer;

again:
	{
		forth!item(turn);
		do
		:: back?answer ->
			if
			:: answer == turn -> break
			:: else                         /* an old acknowledgement */
			fi
		od;
		atomic { item = (item + 1) % N; turn = !turn; answer = 0 }
	} unless { timeout };                           /* lost: send the same once more */
	goto again
}

active proctype Receiver()
{
	byte item, expected;
	bit turn, got;

end:	do
	:: forth?item(got) ->
		if
#ifndef FAULTY
		:: got == turn ->
#else
		:: true ->
#endif
			assert(item == expected);
			d_step { expected = (expected + 1) % N; turn = !turn }
		:: else
		fi;
		back!got;
		d_step { item = 0; got = 0 }
	od
}

/* Takes messages and acknowledgements away whenever it pleases. */
active proctype Thief()
{
end:	do
	:: forth?_,_
	:: back?_
	od
}
