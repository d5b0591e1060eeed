/* A protocol over lossy channels with V different messages and an alternating bit; put and get are
 * handshakes with its users. Parameters: V messages (default 8), CAP places in each channel (default 1). */
#ifndef V
#define V 8
#endif
#ifndef CAP
#define CAP 1
#endif
chan put = [0] of { short };
chan get = [0] of { short };
chan data = [CAP] of { short, bit };
chan ack = [CAP] of { bit };

active proctype Producer() {
  short v;
  do
  :: v < V - 1 -> v++
  :: put!v; v = 0
  od
}
active proctype Sender() {
  short m; bit b; bit a;
  do
  :: put?m;
     do
     :: data!m,b
     :: ack?a; if :: a == b -> a = 0; break :: else -> a = 0 fi
     od;
     m = 0; b = 1 - b
  od
}
active proctype Receiver() {
  short m; bit b; bit expected;
  do
  :: data?m,b;
     if
     :: b == expected -> get!m; expected = 1 - expected
     :: else
     fi;
     m = 0; ack!b; b = 0
  od
}
active proctype Consumer() { short v; do :: get?v; v = 0 od }
active proctype Thief() { short m; bit b; do :: data?m,b; m = 0; b = 0 :: ack?b; b = 0 od }
