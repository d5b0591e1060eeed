-- Burns' mutual exclusion with one flag for each process: who wants looks at those before it, raises its flag, looks at
-- them again, and then waits for those behind it. With HASTY the second look is left out.

const
  N: 3;
  HASTY: false;

type
  process: 0 .. N - 1;

var
  at: array [process] of enum { away, lowering, looking, raising, checking, waiting, inside };
  flag: array [process] of boolean;
  other: array [process] of 0 .. N;           -- whom to look at

startstate "nobody is interested"
  for p: process do
    at[p] := away;
    flag[p] := false;
    other[p] := 0;
  end;
end;

ruleset p: process do

  rule "want"
    at[p] = away
  ==>
    at[p] := lowering;
  end;

  rule "lower the flag"
    at[p] = lowering
  ==>
    flag[p] := false;
    at[p] := looking;
  end;

  rule "look at one before"
    at[p] = looking & other[p] < p
  ==>
    if flag[other[p]] then
      other[p] := 0;
      at[p] := lowering;
    else
      other[p] := other[p] + 1;
    end;
  end;

  rule "see none before"
    at[p] = looking & other[p] = p
  ==>
    other[p] := 0;
    at[p] := raising;
  end;

  rule "raise the flag"
    at[p] = raising
  ==>
    flag[p] := true;
    if HASTY then
      other[p] := p + 1;
      at[p] := waiting;
    else
      at[p] := checking;
    end;
  end;

  rule "look at one before again"
    at[p] = checking & other[p] < p
  ==>
    if flag[other[p]] then
      other[p] := 0;
      at[p] := lowering;
    else
      other[p] := other[p] + 1;
    end;
  end;

  rule "see none before again"
    at[p] = checking & other[p] = p
  ==>
    other[p] := p + 1;
    at[p] := waiting;
  end;

  rule "see one behind with its flag down"
    at[p] = waiting & other[p] < N & !flag[other[p]]
  ==>
    other[p] := other[p] + 1;
  end;

  rule "enter"
    at[p] = waiting & other[p] = N
  ==>
    other[p] := 0;
    at[p] := inside;
  end;

  rule "leave"
    at[p] = inside
  ==>
    flag[p] := false;
    at[p] := away;
  end;

end;

invariant "mutual exclusion"
  forall p: process do forall q: process do p = q | at[p] != inside | at[q] != inside end end;
