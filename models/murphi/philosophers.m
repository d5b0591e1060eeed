-- Philosophers around a table who take both forks at once and give them back at once.

const
  N: 5;

type
  seat: 0 .. N - 1;

var
  phase: array [seat] of enum { thinking, hungry, eating, full };
  taken: array [seat] of boolean;     -- the fork to the left of a seat

startstate "all think"
  for s: seat do
    phase[s] := thinking;
    taken[s] := false;
  end;
end;

ruleset s: seat do
alias left: taken[s]; right: taken[(s + 1) % N] do

  rule "get hungry"
    phase[s] = thinking
  ==>
    phase[s] := hungry;
  end;

  rule "take both forks"
    phase[s] = hungry & !left & !right
  ==>
    left := true;
    right := true;
    phase[s] := eating;
  end;

  rule "have enough"
    phase[s] = eating
  ==>
    phase[s] := full;
  end;

  rule "give back both forks"
    phase[s] = full
  ==>
    left := false;
    right := false;
    phase[s] := thinking;
  end;

end;
end;

invariant "neighbours do not eat at once"
  forall s: seat do phase[s] != eating | phase[(s + 1) % N] != eating end;
