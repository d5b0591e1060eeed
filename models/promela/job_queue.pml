/*
 * A job queue: clients send jobs with an urgency, the queue is kept sorted, workers take the most urgent job that
 * they are trained for, and a supervisor can send everybody to lunch, or stop those in the middle of a job and have them give it back.
 * Written to use sorted send, random receive, polls, `unless`, `provided` and remote references together.
 *
 * Parameters: N      workers (default 2)
 *             JOBS   jobs (default 4)
 *             FAULTY the supervisor forgets to give the job back
 * Answers:    default: no error. FAULTY: deadlock, the office waits for a job that is lost.
 */
#ifndef N
#define N 2
#endif
#ifndef JOBS
#define JOBS 4
#endif

unsigned skills : 2 = 2;

chan jobs = [JOBS] of { byte, byte };           /* urgency (0 is most urgent), skill */
byte finished;
bool lunch, alarm;

proctype Worker(byte skill) provided (!lunch)
{
	byte urgency;
	bool working;

end:	do
	:: atomic { jobs??urgency,eval(skill) -> working = true };
busy:		{
			urgency = 0;
			working = false;
			finished++
		} unless {
			atomic {
				alarm && working ->
#ifndef FAULTY
				jobs!!urgency,skill;
#endif
				working = false
			}
		}
	od
}

active proctype Supervisor()
{
	if
	:: jobs??[0,1] -> lunch = true; lunch = false
	:: alarm = true -> alarm = false
	:: finished == JOBS
	:: skip
	fi
}

init {
	byte i;
	pid first;

	atomic {
		first = _nr_pr;
		for (i : 1 .. N) {
			run Worker(i % skills)
		}
	};
	for (i : 0 .. JOBS - 1) {
		if
		:: jobs!!(i % 3),(i % skills)
		:: jobs!!((i + 1) % 3),(i % skills)
		fi
	};
	(finished == JOBS);
	assert(empty(jobs) && !Worker[first]@busy)
}
