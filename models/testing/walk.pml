/*
 * A walk with undo and redo, as `beeline simulate -i` has it: steps to the left and to the right, back, and forth through what
 * was undone. A step that is not the one that was undone last forgets all that was undone. The answer to each order is how far
 * the walk is and how far it can go forth, or that the order is refused. MOST bounds the walk.
 */
#ifndef MOST
#define MOST 3
#endif
mtype = { left, right, back, forth };

chan ask     = [0] of { mtype };
chan at      = [0] of { byte, byte };
chan refused = [0] of { bit };

active proctype walk()
{
    bit steps[MOST];
    byte here, known;
    mtype order;
    bit wanted;

    do
    :: here < MOST -> ask?order;
       wanted = (order == right);
       if
       :: order == back && here > 0 -> here--; at!here, known
       :: order == back && here == 0 -> refused!0
       :: order == forth && here < known -> here++; at!here, known
       :: order == forth && here == known -> refused!0
       :: (order == left || order == right) ->
          if
          :: here < known && steps[here] == wanted -> here++
          :: !(here < known && steps[here] == wanted) ->
             steps[here] = wanted;
             here++;
             do
             :: known > here -> known--; steps[known] = 0
             :: known < here -> known++
             :: known == here -> break
             od
          fi;
          at!here, known
       fi;
       order = 0; wanted = 0
    :: here == MOST -> ask?back; here--; at!here, known
    od
}

active proctype user()
{
    do
    :: ask!left  :: ask!right :: ask!back :: ask!forth
    :: at?_, _   :: refused?_
    od
}
