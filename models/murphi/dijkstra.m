-- Dijkstra's mutual exclusion of 1965: who wants tries to become the favourite, which takes that the favourite does not
-- want, then tells that it is about to enter, and begins again if another one tells so as well. With HASTY it does not
-- look whether another one does.

const
  N: 3;
  HASTY: false;

type
  process: scalarset(N);

var
  at: array [process] of enum { away, asking, trying, taking, telling, looking, inside };
  wants: array [process] of boolean;
  enters: array [process] of boolean;         -- tells that it is about to enter
  clear_of: array [process] of array [process] of boolean;   -- whom it has seen not to enter
  favourite: process;

procedure begin_again(p: process);
begin
  enters[p] := false;
  for q: process do clear_of[p][q] := false; end;
  at[p] := asking;
end;

ruleset first: process do
  startstate "nobody is interested"
    for p: process do
      begin_again(p);
      at[p] := away;
      wants[p] := false;
    end;
    favourite := first;
  end;
end;

ruleset p: process do

  rule "want"
    at[p] = away
  ==>
    wants[p] := true;
    at[p] := asking;
  end;

  rule "look who is the favourite"
    at[p] = asking
  ==>
    at[p] := favourite = p ? telling : trying;
  end;

  rule "see that the favourite does not want"
    at[p] = trying & !wants[favourite]
  ==>
    at[p] := taking;
  end;

  rule "become the favourite"
    at[p] = taking
  ==>
    favourite := p;
    at[p] := asking;
  end;

  rule "tell"
    at[p] = telling
  ==>
    enters[p] := true;
    at[p] := looking;
  end;

  rule "enter"
    at[p] = looking & (HASTY | forall q: process do q = p | clear_of[p][q] end)
  ==>
    at[p] := inside;
  end;

  rule "leave"
    at[p] = inside
  ==>
    begin_again(p);
    wants[p] := false;
    at[p] := away;
  end;

end;

ruleset p: process; q: process do
  rule "look at another one"
    at[p] = looking & p != q & !clear_of[p][q]
  ==>
    if enters[q] then
      begin_again(p);
    else
      clear_of[p][q] := true;
    end;
  end;
end;

invariant "mutual exclusion"
  forall p: process do forall q: process do p = q | at[p] != inside | at[q] != inside end end;
