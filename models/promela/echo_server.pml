/* A server that reads a request, works on it, answers, and goes on while the answer is not empty: the example of
   de la Camara, Gallardo and Merino, Abstract matching for software model checking, SPIN 2006. Reading and answering
   choose among V values; the work before and after is a loop of W rounds. Each of these is atomic, as in the paper. */
#ifndef V
#define V 20
#endif
#ifndef W
#define W 100
#endif
#define END 0
#define RETRY V

byte ReadBuf, WriteBuf, cRead, cResp;
bool enter_loop = true;

active proctype server() {
  byte i;
  do
  :: enter_loop ->
     atomic { select(ReadBuf : 0 .. V - 1); cRead = ReadBuf + 1 };
Message_Rx:
     atomic { i = 0; do :: i < W && cRead > 0 -> i++ :: else -> break od };
     atomic { select(WriteBuf : 0 .. V - 1); cResp = (ReadBuf == END -> 0 : WriteBuf + 1) };
     atomic { i = 0; do :: i < W && WriteBuf < V -> i++ :: else -> break od };
     enter_loop = (cResp > 0)
  :: else -> break
  od;
left: skip
}

ltl P1 { [] ((server@Message_Rx && ReadBuf == END) -> <> server@left) }
ltl P2 { [] (ReadBuf != RETRY) }
