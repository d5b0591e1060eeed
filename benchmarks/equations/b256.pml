/* A protocol over lossy channels with 256 different messages and an alternating bit; put and get are handshakes with its
 * users. Parameters: CAP and ACKS, the places of the channels for messages and answers (default 1), and OFFERS, the
 * messages (PUT4(0), PUT16(0), PUT64(0) or PUT256(0), the default). */
#ifndef CAP
#define CAP 1
#endif
#ifndef ACKS
#define ACKS 1
#endif
#define PUT4(x)   :: put!x :: put!(x)+1 :: put!(x)+2 :: put!(x)+3
#define PUT16(x)  PUT4(x) PUT4((x)+4) PUT4((x)+8) PUT4((x)+12)
#define PUT64(x)  PUT16(x) PUT16((x)+16) PUT16((x)+32) PUT16((x)+48)
#define PUT256(x) PUT64(x) PUT64((x)+64) PUT64((x)+128) PUT64((x)+192)
#ifndef OFFERS
#define OFFERS PUT256(0)
#endif

chan put = [0] of { short };
chan get = [0] of { short };
chan data = [CAP] of { short, bit };
chan ack = [ACKS] of { bit };

active proctype Producer() { do OFFERS od }
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
active proctype Consumer() { do :: get?_ od }
active proctype Thief() { do :: data?_,_ :: ack?_ od }
