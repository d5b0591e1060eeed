-- Dekker's mutual exclusion for two processes, one access to a shared variable in each step.

type
  process: 0 .. 1;

var
  at: array [process] of enum { away, looking, deciding, yielding, standing, inside, leaving };
  wants: array [process] of boolean;
  turn: process;

startstate "nobody is interested"
  for p: process do
    at[p] := away;
    wants[p] := false;
  end;
  turn := 0;
end;

ruleset p: process do

  rule "want"
    at[p] = away
  ==>
    wants[p] := true;
    at[p] := looking;
  end;

  rule "look at the other"
    at[p] = looking
  ==>
    at[p] := wants[1 - p] ? deciding : inside;
  end;

  rule "look whose turn it is"
    at[p] = deciding
  ==>
    at[p] := turn = p ? looking : yielding;
  end;

  rule "give way"
    at[p] = yielding
  ==>
    wants[p] := false;
    at[p] := standing;
  end;

  rule "have the turn"
    at[p] = standing & turn = p
  ==>
    at[p] := away;
  end;

  rule "leave"
    at[p] = inside
  ==>
    turn := 1 - p;
    at[p] := leaving;
  end;

  rule "want no more"
    at[p] = leaving
  ==>
    wants[p] := false;
    at[p] := away;
  end;

end;

invariant "mutual exclusion"
  !(at[0] = inside & at[1] = inside);
