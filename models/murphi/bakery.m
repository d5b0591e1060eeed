-- Lamport's bakery: who comes draws a number above all that it sees, and waits for those with a smaller one, or with the
-- same and a smaller name. Numbers are bounded by TICKETS: who would need a larger one waits until there is none left.
-- Without CHOOSING nobody tells that it is about to draw a number, and two may be inside.

const
  N: 2;
  TICKETS: 3;
  CHOOSING: true;

type
  process: 0 .. N - 1;

var
  at: array [process] of enum { away, drawing, watching, waiting, inside };
  choosing: array [process] of boolean;
  number: array [process] of 0 .. TICKETS;
  seen: array [process] of 0 .. TICKETS;      -- the largest number that was read
  next: array [process] of 0 .. N;            -- whom to look at

procedure forget(p: process);
begin
  seen[p] := 0;
  next[p] := 0;
end;

startstate "the shop is empty"
  for p: process do
    at[p] := away;
    choosing[p] := false;
    number[p] := 0;
    forget(p);
  end;
end;

ruleset p: process do

  rule "come"
    at[p] = away
  ==>
    choosing[p] := CHOOSING;
    at[p] := drawing;
  end;

  rule "look at a number"
    at[p] = drawing & next[p] < N
  ==>
    if number[next[p]] > seen[p] then seen[p] := number[next[p]]; end;
    next[p] := next[p] + 1;
  end;

  rule "draw a number"
    at[p] = drawing & next[p] = N & seen[p] < TICKETS
  ==>
    number[p] := seen[p] + 1;
    choosing[p] := false;
    forget(p);
    at[p] := watching;
  end;

  rule "look again, since numbers have run out"
    at[p] = drawing & next[p] = N & seen[p] = TICKETS
  ==>
    forget(p);
  end;

  rule "see that somebody draws no number"
    at[p] = watching & next[p] < N & !choosing[next[p]]
  ==>
    at[p] := waiting;
  end;

  rule "see that somebody comes later"
    at[p] = waiting
    & (number[next[p]] = 0 | number[next[p]] > number[p] | (number[next[p]] = number[p] & next[p] >= p))
  ==>
    next[p] := next[p] + 1;
    at[p] := watching;
  end;

  rule "enter"
    at[p] = watching & next[p] = N
  ==>
    at[p] := inside;
  end;

  rule "leave"
    at[p] = inside
  ==>
    number[p] := 0;
    forget(p);
    at[p] := away;
  end;

end;

invariant "mutual exclusion"
  forall p: process do forall q: process do p = q | at[p] != inside | at[q] != inside end end;
