// SPIN stores 8 states.
// Two senders lead into the same uninterrupted run, and one of them goes away.
chan c = [0] of { bit };
bool home = 1, gone = 0;
byte k;

active proctype First() {
  do
  :: c!1
  :: atomic { home -> gone = 1; break }
  od
}
active proctype Second() {
  do
  :: c!1
  od
}
active proctype Q() {
  bit x;
  do
  :: atomic {
       c?x; home = 0;
Again: if
       :: k > 0 -> k--; goto Again
       :: else
       fi
     }
     (gone || !gone);
     home = 1
  od
}
