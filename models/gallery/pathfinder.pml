/*
 * What reset the Mars Pathfinder in 1997: an inversion of priorities (see M. Jones, What really happened on Mars?, 1997). The
 * bus task, the most urgent, waits for a lock that the weather task, the least urgent, holds; and the weather task does not
 * come to give it back, because communications, in between, has work to do.
 *
 * A task runs only if no more urgent one can: that is what `provided` says.
 *
 * Parameters: INHERIT  who holds the lock is as urgent as who waits for it: the mend that was sent to Mars
 * Answers:    `served` is violated; with INHERIT it holds.
 */
mtype = { off, wants, inside };

mtype bus = off, weather = off;
bool locked;     /* the lock around the information bus */
bool busy;       /* communications has work to do */

#define BUS_CAN_RUN      (bus == inside || (bus == wants && !locked))
#define BUS_WAITS_BELOW  (bus == wants && weather == inside)

active proctype Bus()
{
	do
	:: bus = wants;
		atomic { !locked -> locked = true; bus = inside };
		atomic { locked = false; bus = off }
	od
}

active proctype Communications()
#ifdef INHERIT
	provided (!BUS_CAN_RUN && !BUS_WAITS_BELOW)
#else
	provided (!BUS_CAN_RUN)
#endif
{
	do
	:: busy = true;
		do
		:: busy -> skip         /* a long message */
		:: busy = false; break
		od
	od
}

active proctype Weather()
#ifdef INHERIT
	provided (!BUS_CAN_RUN && (!busy || BUS_WAITS_BELOW))
#else
	provided (!BUS_CAN_RUN && !busy)
#endif
{
	do
	:: weather = wants;
		atomic { !locked -> locked = true; weather = inside };
		atomic { locked = false; weather = off }
	od
}

ltl served { [] (bus == wants -> <> (bus == inside)) }
