/*
 * Two-phase commit (Gray, 1978; Lampson and Sturgis, 1976): a coordinator asks N participants to vote, decides
 * commit if all say yes and abort else, and tells everybody. The coordinator may crash.
 *
 * Parameters: N      participants (default 3)
 *             CRASH  the coordinator may stop for ever at any point
 *             HASTY  a participant that waits in vain for the decision aborts on its own
 * Answers:    default: no error. CRASH: deadlock: a participant that has voted yes can neither commit nor abort
 *             (the protocol blocks). CRASH and HASTY: an assertion fails: some committed, some aborted.
 */
#ifndef N
#define N 3
#endif

mtype:message = { Prepare, Yes, No, Commit, Abort };
mtype:state = { working, prepared, committed, aborted };

chan participant[N] = [1] of { mtype:message };
chan votes = [N] of { mtype:message, pid };

mtype:state outcome[N] = working;
byte commits, aborts;
bool crashed;

proctype Participant(byte me)
{
	chan in = participant[me];

	xr in;
	{
		in?Prepare ->
		if
		:: atomic { votes!Yes(_pid); outcome[me] = prepared }
		:: votes!No(_pid);
			goto abort
		fi;
		if
		:: in?Commit -> goto commit
		:: in?Abort -> goto abort
#ifdef HASTY
		:: timeout -> goto abort
#endif
		fi
	} unless { crashed && outcome[me] == working -> goto abort };
commit:
	atomic {
		outcome[me] = committed;
		commits++;
		assert(aborts == 0)
	};
	goto done;
abort:
	atomic {
		outcome[me] = aborted;
		aborts++;
		assert(commits == 0)
	};
done:
	skip
}

inline decide()
{
	byte i, yes;
	mtype:message vote, decision;

	for (i : 0 .. N - 1) {
		participant[i]!Prepare
	};
	yes = 0;
	for (i : 0 .. N - 1) {
		votes?vote,_;
		yes = (vote == Yes -> yes + 1 : yes)
	};
	decision = (yes == N -> Commit : Abort);
	for (i : 0 .. N - 1) {
		if
		:: outcome[i] != aborted -> participant[i]!decision
		:: outcome[i] == aborted
		fi
	}
}

#ifdef CRASH
active proctype Fate()
{
	crashed = true
}
#endif

init {
	pid p;

	atomic {
		for (p : 0 .. N - 1) {
			run Participant(p)
		}
	};
#ifdef CRASH
	{ decide() } unless { crashed }
#else
	decide()
#endif
}
