-- Peterson's mutual exclusion for N processes: each climbs N - 1 levels, and at each the last to come waits until it is
-- no longer the last or nobody else is so high.

const
  N: 3;

type
  process: scalarset(N);
  level: 0 .. N - 1;

var
  at: array [process] of level;                 -- the level that a process is trying to pass; 0 if none
  last: array [1 .. N - 1] of process;          -- who came to a level last
  arrived: array [process] of boolean;          -- whether it has told that it is there
  critical: array [process] of boolean;

startstate "nobody is interested"
  for p: process do
    at[p] := 0;
    arrived[p] := false;
    critical[p] := false;
  end;
  undefine last;
end;

ruleset p: process do

  rule "begin"
    at[p] = 0 & !critical[p]
  ==>
    at[p] := 1;
  end;

  rule "tell"
    at[p] > 0 & !arrived[p] & !critical[p]
  ==>
    last[at[p]] := p;
    arrived[p] := true;
  end;

  rule "pass"
    arrived[p] & !critical[p]
    & (last[at[p]] != p | forall other: process do other != p -> at[other] < at[p] end)
  ==>
    arrived[p] := false;
    if at[p] < N - 1 then
      at[p] := at[p] + 1;
    else
      critical[p] := true;
    end;
  end;

  rule "leave"
    critical[p]
  ==>
    critical[p] := false;
    at[p] := 0;
  end;

end;

invariant "mutual exclusion"
  forall p: process do forall q: process do p = q | !critical[p] | !critical[q] end end;
