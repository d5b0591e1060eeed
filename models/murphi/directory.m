-- A directory that keeps caches coherent, with messages that may overtake each other. Who wants a line asks the directory;
-- that asks the owner to give the line back, or the sharers to drop their copies, and answers when all have done so.
-- Meanwhile other requests wait. With EAGER it does not wait for the sharers.

const
  CACHES: 2;
  VALUES: 2;
  EAGER: false;

type
  cache: scalarset(CACHES);
  value: scalarset(VALUES);
  permission: enum { invalid, wants_shared, wants_modified, shared, modified };
  question: enum { get_shared, get_modified, put_back };
  order: enum { give_back, drop };
  upward: record                     -- from a cache: what it asks, or an answer to an order
    there: boolean;
    asked: question;
    data: value;
  end;
  downward: record                   -- an order to a cache
    there: boolean;
    what: order;
  end;
  grant: record                      -- the line
    there: boolean;
    writable: boolean;
    data: value;
  end;
  done: record                       -- an order was carried out
    there: boolean;
    data: value;
  end;

var
  at: array [cache] of permission;
  copy: array [cache] of value;
  asks: array [cache] of upward;
  orders: array [cache] of downward;
  grants: array [cache] of grant;
  answers: array [cache] of done;
  memory: value;
  newest: value;
  owner: cache;                      -- undefined if there is none
  sharer: array [cache] of boolean;
  busy: boolean;                     -- the directory waits for caches, on behalf of
  served: cache;
  writes: boolean;                   -- who wants to write,
  missing: array [cache] of boolean; -- and these have not answered yet

procedure answer(to_whom: cache; writable: boolean);
begin
  grants[to_whom].there := true;
  grants[to_whom].writable := writable;
  grants[to_whom].data := memory;
  if writable then
    owner := to_whom;
  else
    sharer[to_whom] := true;
  end;
end;

procedure command(whom: cache; what: order);
begin
  orders[whom].there := true;
  orders[whom].what := what;
  missing[whom] := true;
end;

function all_answered(): boolean;
begin
  for c: cache do
    if missing[c] then
      return false;
    end;
  end;
  return true;
end;

ruleset v: value do
  startstate "memory has the only copy"
    for c: cache do
      at[c] := invalid;
      undefine copy[c];
      undefine asks[c];
      asks[c].there := false;
      undefine orders[c];
      orders[c].there := false;
      undefine grants[c];
      grants[c].there := false;
      undefine answers[c];
      answers[c].there := false;
      sharer[c] := false;
      missing[c] := false;
    end;
    memory := v;
    newest := v;
    undefine owner;
    busy := false;
    undefine served;
    undefine writes;
  end;
end;

ruleset c: cache do

  rule "ask to read"
    at[c] = invalid & !asks[c].there
  ==>
    asks[c].there := true;
    asks[c].asked := get_shared;
    at[c] := wants_shared;
  end;

  rule "ask to write"
    (at[c] = invalid | at[c] = shared) & !asks[c].there
  ==>
    asks[c].there := true;
    asks[c].asked := get_modified;
    at[c] := wants_modified;
    undefine copy[c];
  end;

  rule "put back"
    at[c] = modified & !asks[c].there
  ==>
    asks[c].there := true;
    asks[c].asked := put_back;
    asks[c].data := copy[c];
    at[c] := invalid;
    undefine copy[c];
  end;

  rule "receive the line"
    grants[c].there
  ==>
    assert at[c] = wants_shared | at[c] = wants_modified "it was wanted";
    at[c] := grants[c].writable ? modified : shared;
    copy[c] := grants[c].data;
    undefine grants[c];
    grants[c].there := false;
  end;

  -- An order may come before the line that it is about; then it waits.
  rule "carry out an order"
    orders[c].there & !answers[c].there & !grants[c].there
  ==>
    answers[c].there := true;
    if orders[c].what = give_back & at[c] = modified then
      answers[c].data := copy[c];
    end;
    if at[c] = shared | at[c] = modified then
      at[c] := invalid;
      undefine copy[c];
    end;
    undefine orders[c];
    orders[c].there := false;
  end;

  rule "take a request"
    asks[c].there & asks[c].asked != put_back & !busy
  ==>
    if asks[c].asked = get_shared then
      if isundefined(owner) then
        answer(c, false);
      else
        command(owner, give_back);
        undefine owner;
        busy := true;
        served := c;
        writes := false;
      end;
    else
      sharer[c] := false;
      if !isundefined(owner) then
        command(owner, give_back);
        undefine owner;
      end;
      for other: cache do
        if sharer[other] then
          command(other, drop);
          sharer[other] := false;
        end;
      end;
      if all_answered() | EAGER then
        answer(c, true);
        for other: cache do
          missing[other] := false;
        end;
      else
        busy := true;
        served := c;
        writes := true;
      end;
    end;
    undefine asks[c];
    asks[c].there := false;
  end;

  -- Who puts back a line that the directory has asked for is still expected to answer.
  rule "take a line back"
    asks[c].there & asks[c].asked = put_back
  ==>
    if !isundefined(owner) then
      if owner = c then
        undefine owner;
      end;
    end;
    memory := asks[c].data;
    undefine asks[c];
    asks[c].there := false;
  end;

  rule "take an answer"
    answers[c].there & (isundefined(answers[c].data) -> !(asks[c].there & asks[c].asked = put_back))
  ==>
    if !isundefined(answers[c].data) then
      memory := answers[c].data;
    end;
    missing[c] := false;
    undefine answers[c];
    answers[c].there := false;
    if busy & all_answered() then
      answer(served, writes);
      busy := false;
      undefine served;
      undefine writes;
    end;
  end;

end;

ruleset c: cache; v: value do
  rule "write"
    at[c] = modified
  ==>
    copy[c] := v;
    newest := v;
  end;
end;

ruleset c: cache do
  invariant "who may read, reads what was written last"
    at[c] = shared | at[c] = modified -> copy[c] = newest;

  invariant "who may write is alone"
    at[c] = modified ->
      forall other: cache do other = c | (at[other] != shared & at[other] != modified) end;
end;
