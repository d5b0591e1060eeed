/* Two clerks book into one account. Each reads the balance, adds his amount, and writes the sum back.
 *
 *   beeline check clerks.pml --explain
 *
 * shows the shortest way in which one of the bookings is lost. To mend it, put `atomic { ... }` around the two
 * statements of a booking, and check again. */

#ifndef N
#define N 2             /* how many clerks there are: beeline check -D N=3 clerks.pml */
#endif

byte balance;           /* shared by all: starts at 0 */
byte done;              /* how many clerks have finished */

active [N] proctype Clerk() {
    byte seen;
    seen = balance;     /* another clerk may come between this statement .. */
    balance = seen + 1; /* .. and this one */
    done++
}

active proctype Auditor() {
    done == N;          /* waits until this holds */
    assert(balance == N)
}
