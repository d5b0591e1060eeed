-- A protocol in the manner of FLASH: a directory that forwards requests to the owner of the line, refuses when it is
-- busy, and collects acknowledgements of invalidations while the new owner already works. Nodes tell the directory when
-- they drop a shared copy; that may come late. With TRUSTING, the directory lets a node have the line while others have
-- not acknowledged, and takes new requests meanwhile.

const
  NODES: 3;
  VALUES: 2;
  TRUSTING: false;

type
  node: scalarset(NODES);
  value: scalarset(VALUES);
  permission: enum { invalid, shared, owned };
  wish: enum { nothing, to_read, to_write };
  -- One message at a time is on its way on behalf of a node that asks.
  message: enum { no_message, get, get_owned, forwarded_get, forwarded_get_owned, grant, grant_owned, refused };
  notice: enum { no_notice, invalidate, acknowledged };
  report: enum { no_report, shares, passed_on, refused_forward };

var
  at: array [node] of permission;
  copy: array [node] of value;
  wants: array [node] of wish;
  marked: array [node] of boolean;          -- an invalidation has overtaken the answer that is on its way
  transit: array [node] of record
    what: message;
    target: node;                           -- of what was forwarded
    data: value;
  end;
  notices: array [node] of notice;
  dropped: array [node] of boolean;         -- on its way: the node has dropped its shared copy
  returned: record                          -- on its way: an owner gives the line back
    there: boolean;
    sender: node;
    data: value;
  end;
  told: record                              -- on its way: what became of a forwarded request
    what: report;
    asker: node;
    data: value;
  end;

  pending: boolean;                         -- the directory is busy
  dirty: boolean;                           -- some node has the line for itself
  owner: node;
  sharer: array [node] of boolean;
  unconfirmed: array [node] of boolean;     -- nodes that were told to drop their copies and have not said that they did
  memory: value;
  newest: value;

procedure send(to_whom: node; what: message);
begin
  undefine transit[to_whom];
  transit[to_whom].what := what;
end;

procedure send_line(to_whom: node; what: message; data: value);
begin
  send(to_whom, what);
  transit[to_whom].data := data;
end;

procedure forward(asker: node; what: message);
begin
  send(asker, what);
  transit[asker].target := owner;
  pending := true;
end;

-- Everybody else who may have a copy is told to drop it; the directory is busy until all have answered.
procedure invalidate_all_but(n: node);
begin
  for other: node do
    if sharer[other] & other != n then
      notices[other] := invalidate;
      unconfirmed[other] := true;
      pending := !TRUSTING;
    end;
    sharer[other] := false;
  end;
end;

ruleset v: value do
  startstate "memory has the only copy"
    for n: node do
      at[n] := invalid;
      undefine copy[n];
      wants[n] := nothing;
      marked[n] := false;
      send(n, no_message);
      notices[n] := no_notice;
      dropped[n] := false;
      sharer[n] := false;
      unconfirmed[n] := false;
    end;
    undefine returned;
    returned.there := false;
    undefine told;
    told.what := no_report;
    pending := false;
    dirty := false;
    undefine owner;
    memory := v;
    newest := v;
  end;
end;

ruleset n: node do

  -- What a processor does

  rule "ask to read"
    wants[n] = nothing & at[n] = invalid
  ==>
    wants[n] := to_read;
    send(n, get);
  end;

  rule "ask to write"
    wants[n] = nothing & at[n] = invalid
  ==>
    wants[n] := to_write;
    send(n, get_owned);
  end;

  rule "give the line back"
    wants[n] = nothing & at[n] = owned & !returned.there
  ==>
    returned.there := true;
    returned.sender := n;
    returned.data := copy[n];
    at[n] := invalid;
    undefine copy[n];
  end;

  rule "drop a shared copy"
    wants[n] = nothing & at[n] = shared & !dropped[n]
  ==>
    at[n] := invalid;
    undefine copy[n];
    dropped[n] := true;
  end;

  -- What the directory does with requests

  rule "refuse"
    (transit[n].what = get | transit[n].what = get_owned)
    & (pending | (dirty & owner = n) | (transit[n].what = get & dropped[n]))
  ==>
    send(n, refused);
  end;

  rule "forward a request to read"
    transit[n].what = get & !dropped[n] & !pending & dirty & owner != n
  ==>
    forward(n, forwarded_get);
  end;

  rule "answer a request to read"
    transit[n].what = get & !dropped[n] & !pending & !dirty
  ==>
    sharer[n] := true;
    send_line(n, grant, memory);
  end;

  rule "forward a request to write"
    transit[n].what = get_owned & !pending & dirty & owner != n
  ==>
    forward(n, forwarded_get_owned);
  end;

  rule "answer a request to write"
    transit[n].what = get_owned & !pending & !dirty
  ==>
    invalidate_all_but(n);
    dirty := true;
    owner := n;
    send_line(n, grant_owned, memory);
  end;

  -- What a node does with answers

  rule "be refused"
    transit[n].what = refused
  ==>
    send(n, no_message);
    wants[n] := nothing;
    marked[n] := false;
  end;

  rule "receive a shared copy"
    transit[n].what = grant
  ==>
    if !marked[n] then
      at[n] := shared;
      copy[n] := transit[n].data;
    end;
    send(n, no_message);
    wants[n] := nothing;
    marked[n] := false;
  end;

  rule "receive the line"
    transit[n].what = grant_owned
  ==>
    assert wants[n] = to_write "it was asked for";
    at[n] := owned;
    copy[n] := transit[n].data;
    send(n, no_message);
    wants[n] := nothing;
    marked[n] := false;
  end;

  rule "be told to drop the copy"
    notices[n] = invalidate
  ==>
    notices[n] := acknowledged;
    if at[n] = shared then
      at[n] := invalid;
      undefine copy[n];
    end;
    if wants[n] = to_read then
      marked[n] := true;
    end;
  end;

  -- What the directory hears

  rule "note that a copy is gone"
    notices[n] = acknowledged
  ==>
    notices[n] := no_notice;
    unconfirmed[n] := false;
    if forall other: node do !unconfirmed[other] end then
      pending := false;
    end;
  end;

  rule "note that a copy was dropped"
    dropped[n]
  ==>
    dropped[n] := false;
    if !dirty then
      sharer[n] := false;
    end;
  end;

end;

ruleset asker: node; holder: node do

  rule "answer a forwarded request to read"
    transit[asker].what = forwarded_get & transit[asker].target = holder & at[holder] = owned
    & told.what = no_report
  ==>
    at[holder] := shared;
    told.what := shares;
    told.asker := asker;
    told.data := copy[holder];
    send_line(asker, grant, copy[holder]);
  end;

  rule "answer a forwarded request to write"
    transit[asker].what = forwarded_get_owned & transit[asker].target = holder & at[holder] = owned
    & told.what = no_report
  ==>
    told.what := passed_on;
    told.asker := asker;
    send_line(asker, grant_owned, copy[holder]);
    at[holder] := invalid;
    undefine copy[holder];
  end;

  rule "refuse a forwarded request"
    (transit[asker].what = forwarded_get | transit[asker].what = forwarded_get_owned)
    & transit[asker].target = holder & at[holder] != owned & wants[holder] != to_write & told.what = no_report
  ==>
    told.what := refused_forward;
    send(asker, refused);
  end;

end;

rule "hear that the line is shared"
  told.what = shares
==>
  memory := told.data;
  sharer[owner] := true;
  sharer[told.asker] := true;
  dirty := false;
  undefine owner;
  pending := false;
  undefine told;
  told.what := no_report;
end;

rule "hear that the line was passed on"
  told.what = passed_on
==>
  owner := told.asker;
  pending := false;
  undefine told;
  told.what := no_report;
end;

rule "hear that the owner is gone"
  told.what = refused_forward
==>
  pending := false;
  undefine told;
  told.what := no_report;
end;

rule "take the line back"
  returned.there & told.what = no_report
==>
  memory := returned.data;
  if dirty & owner = returned.sender then
    dirty := false;
    undefine owner;
  end;
  undefine returned;
  returned.there := false;
end;

ruleset n: node; v: value do
  rule "write"
    at[n] = owned
  ==>
    copy[n] := v;
    newest := v;
  end;
end;

ruleset n: node do
  invariant "an owner has what was written last"
    at[n] = owned -> copy[n] = newest;

  invariant "there is one owner"
    at[n] = owned -> forall other: node do other = n | at[other] != owned end;
end;

invariant "memory is up to date unless the line is out"
  dirty | memory = newest;
