-- Steven German's cache coherence protocol. Clients ask home for a line, shared or exclusive; home makes the others give
-- up their copies first. A client asks for one thing at a time.
--
-- Known answers, without symmetry: 26,345 states for N = 4 and 4,084,653 for N = 6; the invariant holds.

const
  N: 3;

type
  client: scalarset(N);
  request: enum { no_request, request_shared, request_exclusive };
  reply: enum { no_reply, invalidate, grant_shared, grant_exclusive };
  acknowledgement: enum { no_acknowledgement, invalidated };
  permission: enum { invalid, shared, exclusive };

var
  asks: array [client] of request;              -- from a client to home
  answers: array [client] of reply;             -- from home to a client
  confirms: array [client] of acknowledgement;  -- from a client to home
  cache: array [client] of permission;
  waits: array [client] of boolean;             -- the client has asked and got nothing yet
  sharer: array [client] of boolean;            -- home thinks that the client has a copy
  to_invalidate: array [client] of boolean;     -- home still has to tell the client
  exclusive_granted: boolean;
  command: request;                             -- what home is at work on,
  current: client;                              -- and for whom

startstate "nobody has a copy"
  for c: client do
    asks[c] := no_request;
    answers[c] := no_reply;
    confirms[c] := no_acknowledgement;
    cache[c] := invalid;
    waits[c] := false;
    sharer[c] := false;
    to_invalidate[c] := false;
  end;
  exclusive_granted := false;
  command := no_request;
  undefine current;
end;

ruleset c: client do

  rule "ask for a shared copy"
    cache[c] = invalid & asks[c] = no_request & !waits[c]
  ==>
    asks[c] := request_shared;
    waits[c] := true;
  end;

  rule "ask for the exclusive copy"
    (cache[c] = invalid | cache[c] = shared) & asks[c] = no_request & !waits[c]
  ==>
    asks[c] := request_exclusive;
    waits[c] := true;
  end;

  rule "home takes a request"
    command = no_request & asks[c] != no_request
  ==>
    command := asks[c];
    asks[c] := no_request;
    current := c;
    for other: client do
      to_invalidate[other] := sharer[other];
    end;
  end;

  rule "home sends an invalidation"
    to_invalidate[c] & answers[c] = no_reply
    & ((command = request_shared & exclusive_granted) | command = request_exclusive)
  ==>
    answers[c] := invalidate;
    to_invalidate[c] := false;
  end;

  rule "give up the copy"
    answers[c] = invalidate & confirms[c] = no_acknowledgement
  ==>
    answers[c] := no_reply;
    confirms[c] := invalidated;
    cache[c] := invalid;
  end;

  rule "home notes that a copy is gone"
    command != no_request & confirms[c] = invalidated
  ==>
    sharer[c] := false;
    exclusive_granted := false;
    confirms[c] := no_acknowledgement;
  end;

  rule "receive a shared copy"
    answers[c] = grant_shared
  ==>
    cache[c] := shared;
    answers[c] := no_reply;
    waits[c] := false;
  end;

  rule "receive the exclusive copy"
    answers[c] = grant_exclusive
  ==>
    cache[c] := exclusive;
    answers[c] := no_reply;
    waits[c] := false;
  end;

end;

rule "home grants a shared copy"
  command = request_shared & !exclusive_granted & answers[current] = no_reply
==>
  sharer[current] := true;
  command := no_request;
  answers[current] := grant_shared;
  undefine current;
end;

rule "home grants the exclusive copy"
  command = request_exclusive & waits[current] & answers[current] = no_reply
  & forall c: client do !sharer[c] end
==>
  sharer[current] := true;
  command := no_request;
  exclusive_granted := true;
  answers[current] := grant_exclusive;
  undefine current;
end;

ruleset one: client; other: client do
  invariant "an exclusive copy is the only one"
    one != other & cache[one] = exclusive -> cache[other] = invalid;
end;
