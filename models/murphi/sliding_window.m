-- A sender and a receiver with windows over channels that lose messages. Numbers are taken modulo MODULUS, and the
-- window must be small enough for that. With WINDOW = MODULUS a packet sent again is taken for a new one.

const
  MODULUS: 4;
  WINDOW: 2;
  CAPACITY: 2;

type
  number: 0 .. MODULUS - 1;
  place: 0 .. CAPACITY - 1;
  load: 0 .. CAPACITY;
  datum: 0 .. 1;
  packet: record
    sequence: number;
    content: datum;
  end;
  link: record
    count: load;
    held: array [place] of packet;
  end;
  answers: record
    count: load;
    held: array [place] of number;
  end;

var
  forward: link;
  backward: answers;
  lowest: number;                         -- the first packet that was not acknowledged
  following: number;                      -- the next one to be sent for the first time
  pending: 0 .. WINDOW;                   -- how many are on their way
  contents: array [number] of datum;      -- what they carry
  expected: number;                       -- what the receiver waits for
  delivered: 0 .. WINDOW;                 -- how many of the pending ones have arrived

procedure send(sequence: number; content: datum);
begin
  if forward.count < CAPACITY then
    forward.held[forward.count].sequence := sequence;
    forward.held[forward.count].content := content;
    forward.count := forward.count + 1;
  end;
end;

procedure acknowledge(sequence: number);
begin
  if backward.count < CAPACITY then
    backward.held[backward.count] := sequence;
    backward.count := backward.count + 1;
  end;
end;

procedure take_packet();
begin
  for i := 0 to CAPACITY - 2 do
    forward.held[i] := forward.held[i + 1];
  end;
  undefine forward.held[CAPACITY - 1];
  forward.count := forward.count - 1;
end;

procedure take_answer();
begin
  for i := 0 to CAPACITY - 2 do
    if isundefined(backward.held[i + 1]) then
      undefine backward.held[i];
    else
      backward.held[i] := backward.held[i + 1];
    end;
  end;
  undefine backward.held[CAPACITY - 1];
  backward.count := backward.count - 1;
end;

startstate "nothing was sent"
  clear lowest;
  clear following;
  pending := 0;
  undefine contents;
  expected := 0;
  delivered := 0;
  undefine forward;
  undefine backward;
  forward.count := 0;
  backward.count := 0;
end;

ruleset content: datum do
  rule "send a new packet"
    pending < WINDOW
  ==>
    contents[following] := content;
    send(following, content);
    following := (following + 1) % MODULUS;
    pending := pending + 1;
  end;
end;

rule "send again"
  pending > 0
==>
  send(lowest, contents[lowest]);
end;

rule "lose a packet"
  forward.count > 0
==>
  take_packet();
end;

rule "lose an answer"
  backward.count > 0
==>
  take_answer();
end;

rule "receive a packet"
  forward.count > 0
==>
  alias first: forward.held[0] do
    if first.sequence = expected then
      assert delivered < pending "it is new";
      assert first.content = contents[expected] "it is what was sent";
      expected := (expected + 1) % MODULUS;
      delivered := delivered + 1;
    end;
  end;
  take_packet();
  acknowledge(expected);
end;

rule "receive an answer"
  backward.count > 0
==>
var
  acknowledged: 0 .. MODULUS;
begin
  acknowledged := (backward.held[0] + MODULUS - lowest) % MODULUS;
  take_answer();
  if acknowledged <= pending then
    while acknowledged > 0 do
      undefine contents[lowest];
      lowest := (lowest + 1) % MODULUS;
      pending := pending - 1;
      delivered := delivered - 1;
      acknowledged := acknowledged - 1;
    end;
  end;
end;

invariant "no more have arrived than were sent"
  delivered <= pending;

liveness "everything can be acknowledged"
  pending = 0;
