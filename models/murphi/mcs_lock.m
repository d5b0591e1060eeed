-- The queue lock of Mellor-Crummey and Scott. Who wants the lock puts itself behind the last in the queue and waits on
-- a flag of its own, which the one before clears when it leaves. With HASTY, who leaves looks at its successor once, and
-- gives up the lock without asking whether somebody is about to queue behind it.

const
  N: 3;
  HASTY: false;

type
  thread: scalarset(N);
  place: enum { away, swapping, linking, waiting, inside, looking, exchanging, expecting, handing };

var
  at: array [thread] of place;
  blocked: array [thread] of boolean;
  next: array [thread] of thread;     -- undefined if there is none, as are
  tail: thread;
  before: array [thread] of thread;   -- what the exchange with the tail gave

startstate "free"
  for t: thread do
    at[t] := away;
    blocked[t] := false;
  end;
  undefine next;
  undefine tail;
  undefine before;
end;

ruleset t: thread do

  rule "want"
    at[t] = away
  ==>
    undefine next[t];
    at[t] := swapping;
  end;

  rule "swap with the tail"
    at[t] = swapping
  ==>
    if isundefined(tail) then
      at[t] := inside;
    else
      before[t] := tail;
      blocked[t] := true;
      at[t] := linking;
    end;
    tail := t;
  end;

  rule "link"
    at[t] = linking
  ==>
    next[before[t]] := t;
    undefine before[t];
    at[t] := waiting;
  end;

  rule "enter"
    at[t] = waiting & !blocked[t]
  ==>
    at[t] := inside;
  end;

  rule "leave"
    at[t] = inside
  ==>
    at[t] := looking;
  end;

  rule "look for a successor"
    at[t] = looking
  ==>
    if isundefined(next[t]) then
      at[t] := exchanging;
    else
      at[t] := handing;
    end;
  end;

  rule "give up the tail"
    at[t] = exchanging
  ==>
    if HASTY | tail = t then
      undefine tail;
      at[t] := away;
    else
      at[t] := expecting;
    end;
  end;

  rule "see the successor"
    at[t] = expecting & !isundefined(next[t])
  ==>
    at[t] := handing;
  end;

  rule "hand over"
    at[t] = handing
  ==>
    blocked[next[t]] := false;
    undefine next[t];
    at[t] := away;
  end;

end;

invariant "mutual exclusion"
  forall t: thread do
    forall other: thread do
      t = other | at[t] != inside | at[other] != inside
    end
  end;
