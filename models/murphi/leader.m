-- The election of Chang and Roberts on a ring: each node sends its name to the next one, passes on larger names and
-- swallows smaller ones; who gets back its own name is the leader. Between two nodes there is room for CELLS messages.

const
  N: 4;
  CELLS: 1;

type
  node: 0 .. N - 1;
  name: 1 .. N;

var
  sent: array [node] of boolean;
  channel: array [node] of record             -- to a node
    count: 0 .. CELLS;
    cells: array [0 .. CELLS - 1] of name;
  end;
  leads: array [node] of boolean;

-- Names grow against the direction of the messages, which takes the most of them.
function name_of(n: node): name;
begin
  return N - n;
end;

procedure send(n: node; who: name);
begin
  alias c: channel[(n + 1) % N] do
    c.cells[c.count] := who;
    c.count := c.count + 1;
  end;
end;

procedure take(n: node);
begin
  alias c: channel[n] do
    for i: 0 .. CELLS - 1 do
      if i + 1 < c.count then c.cells[i] := c.cells[i + 1]; end;
    end;
    c.count := c.count - 1;
    undefine c.cells[c.count];
  end;
end;

startstate "nobody knows"
  for n: node do
    sent[n] := false;
    channel[n].count := 0;
    undefine channel[n].cells;
    leads[n] := false;
  end;
end;

ruleset n: node do

  rule "send the own name"
    !sent[n] & channel[(n + 1) % N].count < CELLS
  ==>
    send(n, name_of(n));
    sent[n] := true;
  end;

  rule "pass on a larger name"
    channel[n].count > 0 & channel[n].cells[0] > name_of(n) & channel[(n + 1) % N].count < CELLS
  ==>
    send(n, channel[n].cells[0]);
    take(n);
  end;

  rule "swallow a smaller name"
    sent[n] & channel[n].count > 0 & channel[n].cells[0] < name_of(n)
  ==>
    take(n);
  end;

  rule "become the leader"
    channel[n].count > 0 & channel[n].cells[0] = name_of(n)
  ==>
    take(n);
    leads[n] := true;
  end;

  rule "start again"
    leads[n]
  ==>
    leads[n] := false;
    sent[n] := false;
  end;

end;

invariant "only the largest leads"
  forall n: node do leads[n] -> name_of(n) = N end;
