-- Caches that watch a bus (MESI). A cache that misses takes the bus; all others see the request at once, and who has the
-- newest data gives it. Writes back to memory wait in a buffer, which must be watched as well: with FORGETFUL it is not.

const
  CACHES: 3;
  LINES: 1;
  VALUES: 2;
  FORGETFUL: false;

type
  cache: scalarset(CACHES);
  line: scalarset(LINES);
  value: scalarset(VALUES);
  permission: enum { invalid, shared, exclusive, modified };
  entry: record
    status: permission;
    data: value;
  end;

var
  held: array [cache] of array [line] of entry;
  memory: array [line] of value;
  newest: array [line] of value;                    -- what was written last, whoever has it
  buffer: array [cache] of record
    full: boolean;
    where: line;
    data: value;
  end;

procedure evict(c: cache; l: line);
begin
  alias mine: held[c][l] do
    if mine.status = modified then
      buffer[c].full := true;
      buffer[c].where := l;
      buffer[c].data := mine.data;
    end;
    mine.status := invalid;
    undefine mine.data;
  end;
end;

-- What a buffer still holds goes to memory before anybody reads there.
procedure write_back(l: line);
begin
  for other: cache do
    alias waiting: buffer[other] do
      if waiting.full then
        if waiting.where = l then
          memory[l] := waiting.data;
          waiting.full := false;
          undefine waiting.where;
          undefine waiting.data;
        end;
      end;
    end;
  end;
end;

ruleset v: value do
  startstate "all caches are empty"
    for l: line do
      memory[l] := v;
      newest[l] := v;
      for c: cache do
        held[c][l].status := invalid;
        undefine held[c][l].data;
      end;
    end;
    for c: cache do
      undefine buffer[c];
      buffer[c].full := false;
    end;
  end;
end;

ruleset c: cache; l: line do
  alias mine: held[c][l] do

    rule "read miss"
      mine.status = invalid
    ==>
    var
      alone: boolean;
    begin
      alone := true;
      if !FORGETFUL then
        write_back(l);
      end;
      for other: cache do
        if held[other][l].status = modified then
          memory[l] := held[other][l].data;
        end;
        if held[other][l].status != invalid then
          held[other][l].status := shared;
          alone := false;
        end;
      end;
      mine.data := memory[l];
      mine.status := alone ? exclusive : shared;
    end;

    rule "take ownership"
      mine.status = invalid | mine.status = shared
    ==>
      if !FORGETFUL then
        write_back(l);
      end;
      for other: cache do
        if held[other][l].status = modified then
          memory[l] := held[other][l].data;
        end;
        if other != c then
          held[other][l].status := invalid;
          undefine held[other][l].data;
        end;
      end;
      mine.data := memory[l];
      mine.status := exclusive;
    end;

    rule "evict"
      mine.status != invalid & !buffer[c].full
    ==>
      evict(c, l);
    end;

  end;
end;

ruleset c: cache; l: line; v: value do
  rule "write"
    held[c][l].status = exclusive | held[c][l].status = modified
  ==>
    held[c][l].data := v;
    held[c][l].status := modified;
    newest[l] := v;
  end;
end;

ruleset c: cache do
  rule "empty the buffer"
    buffer[c].full
  ==>
    memory[buffer[c].where] := buffer[c].data;
    buffer[c].full := false;
    undefine buffer[c].where;
    undefine buffer[c].data;
  end;
end;

ruleset c: cache; l: line do
  invariant "who may read, reads what was written last"
    held[c][l].status != invalid -> held[c][l].data = newest[l];

  invariant "an owner is alone"
    held[c][l].status = exclusive | held[c][l].status = modified ->
      forall other: cache do other = c | held[other][l].status = invalid end;
end;

cover "a line is shared"
  exists c: cache do exists l: line do held[c][l].status = shared end end;
